// The address after #: "#/play/ID", so that a reload comes back to the same place. The screen is the first word.
export const route = $state({ words: wordsOf(location.hash) });

function wordsOf(hash: string): string[] {
  return hash.replace(/^#\/?/, "").split("/").filter(Boolean).map(decoded);
}

/** A word of the address; one that was cut short, "%E5%9", stays as it is. */
function decoded(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    return word;
  }
}

addEventListener("hashchange", () => {
  route.words = wordsOf(location.hash);
});

export function go(...words: (string | number)[]): void {
  location.hash = `#/${words.map((word) => encodeURIComponent(String(word))).join("/")}`;
}

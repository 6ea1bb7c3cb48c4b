// The address after #: "#/play/ID", so that a reload comes back to the same place. The screen is the first word.
export const route = $state({ words: wordsOf(location.hash) });

function wordsOf(hash: string): string[] {
  return hash.replace(/^#\/?/, "").split("/").filter(Boolean).map(decodeURIComponent);
}

addEventListener("hashchange", () => {
  route.words = wordsOf(location.hash);
});

export function go(...words: (string | number)[]): void {
  location.hash = `#/${words.map((word) => encodeURIComponent(String(word))).join("/")}`;
}

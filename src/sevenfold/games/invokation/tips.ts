// Tooltips: the words of the element under the mouse or the focus, in one box that never covers it or leaves the table.
import { html } from "@/draw/element";

export function tipFor(root: HTMLElement): void {
  const box = html("div", { class: "gi-tip", role: "presentation", hidden: true });
  const show = (event: Event): void => {
    const at = (event.target as Element | null)?.closest?.<HTMLElement>("[data-tip]") ?? null;
    if (!at || !root.parentElement) {
      box.hidden = true;
      return;
    }
    const [title = "", ...lines] = (at.dataset.tip ?? "").split("\n");
    box.replaceChildren(html("b", {}, title), ...lines.map((line) => html("span", {}, line)));
    box.hidden = false;
    root.parentElement.append(box);
    const [frame, place, own] = [root.parentElement.getBoundingClientRect(), at.getBoundingClientRect(), box.getBoundingClientRect()];
    const left = Math.max(4, Math.min(place.left - frame.left, frame.width - own.width - 4));
    const above = place.top - frame.top - own.height - 6;
    box.style.setProperty("left", `${left}px`);
    box.style.setProperty("top", `${above > 0 || place.bottom + own.height > innerHeight ? above : place.bottom - frame.top + 6}px`);
  };
  for (const name of ["pointerover", "focusin"]) root.addEventListener(name, show);
  for (const name of ["pointerleave", "focusout", "click"]) root.addEventListener(name, () => (box.hidden = true));
}

// The skills of the active character as buttons, and what things cost as dice.
import { html } from "@/draw/element";
import type { Say } from "@/draw/speak";
import type { Language } from "@/words";
import { called, costParts, meaning, person } from "./names";
import { costWords } from "./side";
import { elementSign } from "./signs";
import type { Act } from "./words";

/** "3Pyro+2En" as numbers on little dice; energy as a star. */
export function costFace(cost: string): HTMLElement {
  const parts = costParts(cost).map(([count, of]) => {
    const plain = of === "Same" || of === "Any" || of === "En";
    return html("span", { class: `gi-cost gi-cost-${of.toLowerCase()}${plain ? "" : ` gi-el-${of.toLowerCase()}`}` }, plain ? null : elementSign(of), html("b", {}, String(count)));
  });
  return html("span", { class: "gi-costs", "aria-hidden": "true" }, ...(parts.length > 0 ? parts : [html("span", { class: "gi-cost gi-cost-any" }, html("b", {}, "0"))]));
}

export interface SkillLook {
  name: string; // of the character
  acts: Act[];
  say: Say;
  language: Language;
  play: (act: Act) => void;
  hover: (action: number | null) => void;
  priced: (words: string, act: Act) => string;
}

export function skillButtons({ name, acts, say, language, play, hover, priced }: SkillLook): HTMLElement[] {
  return person(name)
    .skills.filter(({ kind }) => kind !== "passive")
    .map((skill, index) => {
      const act = acts.find((one) => one.index === index);
      const title = called(language, skill);
      const words = `${title}\n${meaning(language, skill)}\n${say("costs {cost}", { cost: costWords(skill.cost, say, language) })}`;
      const label = act ? priced(words.replaceAll("\n", ". "), act) : `${words.replaceAll("\n", ". ")}. ${say("not now")}`;
      const look = {
        type: "button",
        class: `gi-skill gi-skill-${skill.kind}`,
        "data-action": act?.action,
        "data-key": `skill ${index}`,
        "data-tip": words,
        "aria-label": label,
        disabled: !act,
        onclick: () => act && play(act),
        onpointerenter: () => hover(act?.action ?? null),
        onpointerleave: () => hover(null),
      };
      return html("button", look, html("b", {}, title), html("span", { class: "gi-skill-text" }, meaning(language, skill)), costFace(skill.cost));
    });
}

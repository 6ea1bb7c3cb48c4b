// What a run does, in sentences, from its config.json (src/sevenfold/train/config.py says what every number means).
import { t } from "@/settings.svelte";
import { figure, percent, whole } from "./format";

export type Config = Record<string, unknown>;

/** A number of the config by its dotted name; `otherwise` where an older run does not have it. */
export function numberOf(config: Config, name: string, otherwise = 0): number {
  const found = valueOf(config, name);
  return typeof found === "number" ? found : otherwise;
}

function valueOf(config: Config, name: string): unknown {
  return name.split(".").reduce<unknown>((inside, part) => (inside as Config | undefined)?.[part], config);
}

/** Pairs of a short name and a sentence, both translated. */
export function inWords(config: Config): [string, string][] {
  return [
    [t("Net"), net(config)],
    [t("Self-play"), selfPlay(config)],
    [t("Openings"), openings(config)],
    [t("Learning"), learning(config)],
    [t("Strength"), rating(config)],
    [t("End"), end(config)],
  ];
}

function net(config: Config): string {
  return t("{blocks} blocks of {channels} channels.", {
    blocks: numberOf(config, "net.blocks"),
    channels: numberOf(config, "net.channels"),
  });
}

function selfPlay(config: Config): string {
  const share = numberOf(config, "selfplay.full_share", 1);
  const values = {
    games: whole(numberOf(config, "games")),
    simulations: whole(numberOf(config, "selfplay.simulations")),
    fast: whole(numberOf(config, "selfplay.fast_simulations")),
    share: percent(share),
  };
  const sentence =
    share < 1
      ? "{games} games per iteration; {simulations} simulations for {share} of the moves, {fast} for the others."
      : "{games} games per iteration, {simulations} simulations for every move.";
  const root = valueOf(config, "selfplay.root") === "puct" ? "Moves are drawn by their visits, with some noise." : "Moves are found by the Gumbel method.";
  return `${t(sentence, values)} ${t(root)}`;
}

function openings(config: Config): string {
  const share = numberOf(config, "selfplay.random_share");
  const plies = numberOf(config, "selfplay.random_plies");
  if (!share || !plies) return t("All games begin at the start.");
  return t("{share} of the games begin with up to {plies} random moves, so that they differ.", {
    share: percent(share),
    plies,
  });
}

function learning(config: Config): string {
  return t("Batches of {batch} positions, each position about {passes} times; the learning rate goes from {rate} to {last}.", {
    batch: whole(numberOf(config, "learning.batch")),
    passes: figure(numberOf(config, "learning.passes")),
    rate: numberOf(config, "learning.rate"),
    last: numberOf(config, "learning.final_rate"),
  });
}

function rating(config: Config): string {
  const every = numberOf(config, "rating.every");
  if (!every) return t("No matches during the run.");
  const anchors = valueOf(config, "rating.anchors");
  return t("Every {every} iterations {games} games against each of: {anchors}.", {
    every,
    games: numberOf(config, "rating.games"),
    anchors: Array.isArray(anchors) ? anchors.join(", ") : "–",
  });
}

function end(config: Config): string {
  const values = { iterations: whole(numberOf(config, "iterations")), minutes: figure(numberOf(config, "minutes")) };
  const sentence = numberOf(config, "minutes") ? "After {iterations} iterations or {minutes} minutes." : "After {iterations} iterations.";
  return t(sentence, values);
}

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
  if (valueOf(config, "method") === "policy_gradient") return withoutSearch(config);
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

function withoutSearch(config: Config): [string, string][] {
  return [
    [t("Net"), net(config)],
    [t("How it plays"), t("{games} games per iteration, without a search.", { games: whole(numberOf(config, "games")) })],
    [t("At the tables"), company(config)],
    [t("Learning"), `${judged(config)} ${learning(config, "gradient.epochs")}`],
    [t("Strength"), rating(config)],
    [t("End"), end(config)],
  ];
}

/** Who sits at which share of the tables, as gradient_loop.py has it. */
function company(config: Config): string {
  const league = valueOf(config, "gradient.league");
  const names = Array.isArray(league) ? league.map(String) : [];
  const against = valueOf(config, "gradient.against");
  const first = names.length ? numberOf(config, "gradient.league_share") : 0;
  const past = against ? 0 : Math.min(1 - first, numberOf(config, "gradient.past_share"));
  const rest = 1 - first - past;
  const found: [number, string][] = [
    [first, names.join(", ")],
    [past, t("An older self")],
    [rest, against ? fileOf(String(against)) : t("the net itself")],
  ];
  const shown = found.filter(([share]) => share > 1e-9);
  return shown.map(([share, who]) => t("{who} ({share} of the tables)", { who, share: percent(share) })).join(", ");
}

const fileOf = (path: string) => path.split("/").at(-1) ?? path;

/** Whether every legal move is tried, instead of comparing what was played with what was foreseen. */
export const tries = (config: Config) => valueOf(config, "gradient.estimate") === "trials";

function judged(config: Config): string {
  if (!tries(config)) return t("What a move brought is compared with what was foreseen.");
  const who = valueOf(config, "gradient.goes_on");
  return t("Every move is tried to the end of the game; {who} plays on.", { who: who ? String(who) : t("the net itself") });
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

function learning(config: Config, passes = "learning.passes"): string {
  return t("Batches of {batch} positions, each position about {passes} times; the learning rate goes from {rate} to {last}.", {
    batch: whole(numberOf(config, "learning.batch")),
    passes: figure(numberOf(config, passes)),
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

// What the server says when it refuses something, in Chinese: English with {places} to Chinese with the same ones. The
// sentences are the server's own (src/sevenfold/server; tests/test_server_words.py compares the two). What the rules of a
// game say stays in English, after a word that says whose it is.
import type { Language } from "./words";

export const refusals: Record<string, string> = {
  "there is no tree of this position yet; switch the analysis on.": "這個局面還沒有搜尋樹；請打開分析。",
  "the analysis ended without an answer.": "分析沒有得出答案就結束了。",
  "the tree cannot be opened.": "無法打開搜尋樹。",
  "there is no game {id} on this server.": "這個伺服器上沒有對局 {id}。",
  "there is no run {id} on this server.": "這個伺服器上沒有訓練 {id}。",
  "there is no match {id} on this server.": "這個伺服器上沒有比賽 {id}。",
  "there is no game {name}; the games are: {names}.": "沒有遊戲 {name}；現有的遊戲：{names}。",
  "{game} has no option {option}.": "{game} 沒有選項 {option}。",
  "the run {id} has no checkpoint yet; wait for its first iteration.": "訓練 {id} 還沒有檢查點；請等它完成第一輪。",
  "the start of {game} is not the same for everybody; look at a game instead.":
    "{game} 的開局對每個人並不相同；請直接看一局。",
  "this server does not answer to the name {name}; open it by the address it has printed.":
    "這個伺服器不以 {name} 為名；請用它印出的網址打開。",
  "another site's page cannot use this server.": "其他網站的網頁不能使用這個伺服器。",
  "this server needs its token; open the address that it printed when it was started.":
    "這個伺服器需要通行碼；請打開它啟動時印出的網址。",
  "a request can have at most {n} bytes.": "一個請求最多 {n} 位元組。",
  "{game} has {seats} seats, not {n}.": "{game} 有 {seats} 個座位，不是 {n} 個。",
  "{game} has {seats} seats.": "{game} 有 {seats} 個座位。",
  "too many games were begun within a minute; wait a little and try again.": "一分鐘內開了太多局；請稍等再試。",
  "this server keeps {n} games at most; delete one that is over.": "這個伺服器最多保留 {n} 局；請刪除一局已結束的。",
  "{game} has no level {level}; its levels are: {levels}.": "{game} 沒有等級 {level}；它的等級：{levels}。",
  "this game was deleted.": "這一局已被刪除。",
  "{n} matches are being played already; wait for one to end, or stop it.":
    "已經有 {n} 場比賽在進行；請等其中一場結束，或停止它。",
  "this match is over already.": "這場比賽已經結束。",
  "the process of the match ended before its last game.": "比賽的程序在最後一局之前就結束了。",
  "there is nothing at {path}; /api/openapi.json tells what there is.": "{path} 什麼都沒有；/api/openapi.json 說明有什麼。",
  "it was stopped.": "已停止。",
  "{player} ended its process twice; choose another player.": "{player} 兩次結束了它的程序；請選別的玩家。",
  "there is no move to review yet.": "還沒有可以復盤的內容。",
  "the review ended without an answer.": "復盤沒有得出答案就結束了。",
  "the run {id} has no checkpoint {iteration}.": "訓練 {id} 沒有檢查點 {iteration}。",
  "training needs more packages; install them by: pip install 'sevenfold[train]'.":
    "訓練需要更多套件；請安裝：pip install 'sevenfold[train]'。",
  "{game} cannot be trained from the page; use `sevenfold train`.": "{game} 不能在網頁上訓練；請用 `sevenfold train`。",
  "{game} has no preset {preset}; there are: {presets}.": "{game} 沒有預設組合 {preset}；現有：{presets}。",
  "the run {id} is still training; stop it first, or wait for its end.": "訓練 {id} 還在進行；請先停止它，或等它結束。",
  "the run {id} was not started from the page; stop it where it was started.":
    "訓練 {id} 不是從網頁啟動的；請在啟動它的地方停止。",
  "the run {id} is not running.": "訓練 {id} 沒有在進行。",
  "there is nothing to take back: this is the first decision.": "沒有可以收回的：這是第一個決定。",
  "the game has moved on; look at the board and play again.": "局面已經變了；請看清楚再出手。",
  "the game is over.": "這一局已經結束。",
  "it is chance's turn.": "輪到機遇。",
  "it is the turn of {name}.": "輪到 {name}。",
  "there is no node {node} in this session.": "這一局沒有節點 {node}。",
  "lines are shown when nothing is hidden any more.": "等到沒有隱藏的東西時，才能顯示變化。",
  "there is nothing to play again: this is the end of the line.": "沒有可以重做的：這是變化的結尾。",
  "there is nothing to think about here: no player is to move.": "這裡沒有可以思考的：沒有輪到任何一方。",
  "it is not your turn, and a thought would tell what is hidden from you.": "還沒輪到你，而思考會洩漏你看不到的東西。",
  "the record of a game with hidden information is given when it is over.": "有隱藏資訊的遊戲，結束後才提供紀錄。",
  "{what} cannot be read: {why}.": "{what} 無法讀取：{why}。",
  "too many messages; the connection is closed.": "訊息太多；連線已關閉。",
  "too many messages at once; some are not heard.": "一次太多訊息；有些沒有收到。",
  "too many windows look at this server; close one of them.": "太多視窗在看這個伺服器；請關掉一個。",
  "there is no player {name} here; the players are: {names}.": "這裡沒有玩家 {name}；現有的玩家：{names}。",
  "{player}: {option} can be at most {most} here, not {value}.": "{player}：{option} 在這裡最多 {most}，不能是 {value}。",
  "write a checkpoint as run:ID@ITERATION, not {text}.": "檢查點要寫成 run:ID@ITERATION，不是 {text}。",
  "write a player as name:option=value,…, not {text}.": "玩家要寫成 name:option=value,…，不是 {text}。",
  "{player}: the option {option} cannot be {value} here; leave it out.":
    "{player}：選項 {option} 在這裡不能是 {value}；請不要寫它。",
  "something failed: {kind}: {why}.": "出了問題：{kind}：{why}。",
  "where hands are hidden, people and players change seats before the game or after it.":
    "手牌不公開時，真人和玩家只能在開局前或結束後換座位。",
  "a player is thinking; a hint is for your own turn.": "玩家正在思考；輪到你時才有提示。",
  "the player gave no answer.": "玩家沒有回答。",
  "no hint was found.": "沒有找到提示。",
  "this session holds {n} moves, and no more can be added; begin a new one.": "這一局已有 {n} 手，不能再加；請開新的一局。",
  "{player} took longer than {seconds} s.": "{player} 思考超過 {seconds} 秒。",
  "there is not enough memory for that.": "記憶體不夠。",
  "{player} failed: {kind}: {why}.": "{player} 失敗：{kind}：{why}。",
  "records of {game} are written as {formats}, not as {format}.": "{game} 的紀錄寫成 {formats}，不是 {format}。",
  "a record of one game is one line, not {n}.": "一局的紀錄是一行，不是 {n} 行。",
  "The server refused ({status}).": "伺服器拒絕了（{status}）。",
  "this is no record: {why}": "這不是紀錄：{why}",
};

const OTHER = "伺服器說：{sentence}";

interface Template {
  pattern: RegExp;
  names: string[];
  chinese: string;
}

const PLACE = /\{(\w+)\}/g;

// Those with the most words of their own first: "{what} cannot be read: {why}." would fit many.
const templates: Template[] = Object.entries(refusals)
  .sort(([one], [other]) => other.replace(PLACE, "").length - one.replace(PLACE, "").length)
  .map(([english, chinese]) => {
    const fixed = english.split(PLACE).map((part, index) => (index % 2 ? "(.+?)" : part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")));
    const names = [...english.matchAll(PLACE)].map((match) => match[1] ?? "");
    return { pattern: new RegExp(`^${fixed.join("")}$`, "is"), names, chinese };
  });

/** A sentence of the server's in the person's language. */
export function refusalIn(language: Language, sentence: string): string {
  if (language === "en") return sentence;
  for (const { pattern, names, chinese } of templates) {
    const found = pattern.exec(sentence);
    if (found) return chinese.replace(PLACE, (_, name: string) => found[names.indexOf(name) + 1] ?? "");
  }
  return OTHER.replace("{sentence}", sentence);
}

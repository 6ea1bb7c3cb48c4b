"""The two languages of the command line. `t("You win!")` is the text in the language in use.

Texts are keyed by their English form, so that the code reads as the screen does; tests/test_cli.py checks that every
text in use has its Chinese form, with the same placeholders. The sentences of ValueErrors stay English: they are the
Python package's as well.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from sevenfold.game import Game

LANGUAGES = ("en", "zh-TW")
PLAYER = re.compile(r"(\bplayer|玩家) (\d)(?!\d)")
"""How drawings name a player, by its number from 0."""

_language = "en"


def use(language: str) -> None:
    """Puts a language into use."""
    global _language
    _language = language


def t(text: str, /, **values: Any) -> str:
    """A text in the language in use, with its placeholders filled in."""
    found = ZH_TW.get(text, text) if _language == "zh-TW" else text
    return found.format(**values) if values else found


def of_room(game: Game, name: str) -> str | None:
    """A text of a game's room: TITLE, or TITLE_ZH where that is the language."""
    names = [f"{name}_ZH", name] if _language == "zh-TW" else [name]
    return next((text for each in names if isinstance(text := getattr(game.room, each, None), str)), None)


def drawn(game: Game, text: str) -> str:
    """A drawn position for people: in the language in use, where a room's VIEW_ZH says what to write for which pattern,
    in turn; and with players counted from 1, as everywhere else on the screen."""
    patterns = getattr(game.room, "VIEW_ZH", ()) if _language == "zh-TW" else ()
    for pattern, chinese in patterns:
        text = re.sub(pattern, chinese, text, flags=re.MULTILINE)
    return PLAYER.sub(lambda one: f"{one[1]} {int(one[2]) + 1}", text)


def explained(game: Game, name: str) -> str | None:
    """What a room's `explain(name, chinese)` says about a thing of the game; None where it knows none of that name."""
    explain = getattr(game.room, "explain", None)
    found: str | None = explain(name, _language == "zh-TW") if explain else None
    return found


def title(game: Game) -> str:
    """A game's name for people."""
    return of_room(game, "TITLE") or game.title


def chosen(argv: Sequence[str], environ: Mapping[str, str]) -> str:
    """The language of a command line: --lang, or else that of the locale. ValueError for one we do not have."""
    for i, word in enumerate(argv):
        if word == "--lang" or word.startswith("--lang="):
            wanted = word.removeprefix("--lang=") if "=" in word else "".join(argv[i + 1 : i + 2])
            language = _known(wanted)
            if language is None:
                raise ValueError(f"--lang is {' or '.join(LANGUAGES)}, not {wanted!r}.")
            return language
    for variable in ("LC_ALL", "LC_MESSAGES", "LANGUAGE", "LANG"):
        if value := environ.get(variable):
            # LANGUAGE is a list, best first; a locale of another language, or of none (C), means English.
            return next((language for name in value.split(":") if (language := _known(name))), "en")
    return "en"


def _known(name: str) -> str | None:
    """ "zh_TW.UTF-8", "zh-Hant" and "zh" are our Chinese, "en_GB" is our English."""
    first = name.replace("-", "_").split(".")[0].split("_")[0].lower()
    return {"zh": "zh-TW", "en": "en"}.get(first)


ZH_TW: dict[str, str] = {
    # Help screens
    "Usage:": "用法：",
    "Arguments": "引數",
    "Options": "選項",
    "Verbs": "指令",
    "[required]": "[必填]",
    "[default: {}]": "[預設：{}]",
    "Example:": "範例：",
    "Shows this page.": "顯示這個說明。",
    "Sevenfold plays, analyses and learns games.": "Sevenfold：下棋、分析、學習各種遊戲。",
    "Prints the version.": "顯示版本。",
    "Prints JSON, for programs.": "輸出 JSON，供程式讀取。",
    "The language; by default that of the locale.": "介面語言；預設依照系統語系。",
    "Lists the games, or shows one of them with its options and presets.": (
        "列出所有遊戲，或顯示一個遊戲的選項與預設組合。"
    ),
    "One game to show.": "要顯示的遊戲。",
    "Plays a game in the terminal, against any player or another person.": (
        "在終端機裡玩，對手可以是任何電腦玩家，或另一個人。"
    ),
    "The game, as for the other verbs; without it, a menu.": "遊戲，寫法與其他指令相同；不寫就顯示選單。",
    "An option of the game; may be given several times.": "遊戲的選項；可以重複使用。",
    "A set of options that the game offers (see `sevenfold games GAME`).": (
        "遊戲提供的一組選項（見 `sevenfold games GAME`）。"
    ),
    "Who takes the other seats, in order: random, montecarlo:simulations=5000, human …": (
        "依序坐其他座位的玩家，例如 random, montecarlo:simulations=5000, human……"
    ),
    "Where you sit, from 1; the first seat usually moves first.": "你的座位，從 1 算起；第一個座位通常先走。",
    "Same seed, same chance.": "種子相同，隨機結果就相同。",
    "Who gives the hints; by default the game's strongest adviser.": "由哪個玩家給提示；預設是這個遊戲最強的顧問。",
    "Appends every game to this file.": "把每一局附加到這個檔案。",
    "Nobody plays: all seats are taken by --against.": "只觀戰：所有座位都由 --against 的玩家坐。",
    "Counts the action sequences of a length, or the distinct positions they lead to.": (
        "計算固定步數的著法序列有幾種，或會走到幾種不同的局面。"
    ),
    "A name from `sevenfold games`, a .py file, or openspiel:NAME.": (
        "`sevenfold games` 列出的名稱、.py 檔案，或 openspiel:NAME。"
    ),
    "How many plies.": "步數。",
    "Counts each position once.": "每種局面只算一次。",
    "give --depth, the number of plies to count.": "請用 --depth 說明要計算的步數。",
    "perft has no option {word} for {game}.": "{game} 的 perft 沒有選項 {word}。",
    "{count} in {seconds:.2f} s ({speed} per second).": "{count}，用了 {seconds:.2f} 秒（每秒 {speed}）。",
    "Two players, every deal again with other seatings: one (first among copies of the second), others, both, all.": (
        "兩個玩家，同一副牌換座位重打：one（第一個坐在第二個的複本之間）、others、both 或 all。"
    ),
    'Starts after these moves: "d d e".': '從走完這些著法之後開始："d d e"。',
    "Starts from this position, in the game's own form.": "從這個局面開始，以該遊戲的寫法表示。",
    "Tests that a game keeps the rules of the house: legal actions, copies, texts, hidden information …": (
        "檢查一個遊戲是否符合規範：合法著法、複本、文字、隱藏資訊……"
    ),
    "How many random games to play.": "要隨機下幾局。",
    "Same seed, same games.": "種子相同，對局就相同。",
    "Writes a complete small game to start from: a room of the house, or one Python file.": (
        "寫出一個完整的小遊戲當作起點：原始碼裡的一個遊戲資料夾，或一個 Python 檔案。"
    ),
    "The new game's name, in snake_case.": "新遊戲的名稱，用 snake_case。",
    "Rules in Python instead of C++.": "用 Python 寫規則，而不是 C++。",
    "The source checkout, or the folder to write into.": "原始碼所在的資料夾，或要寫入的資料夾。",
    "Lets one of our players answer another program, in the protocol of docs/reference/protocol.md.": (
        "讓我們的一個電腦玩家回答別的程式，協定見 docs/reference/protocol.md。"
    ),
    "Plays a game of connect-four on Saiblo, or on any referee that speaks like it.": (
        "在 Saiblo（或使用相同協定的裁判程式）上下一局重力四子棋。"
    ),
    "Plays any open game on Botzone, in its JSON protocol.": "用 Botzone 的 JSON 協定，下任何沒有隱藏資訊的遊戲。",
    "Who thinks: uct, perfect, random …": "由哪個玩家思考：uct、perfect、random……",
    "Time per move, with everything around it.": "每步的秒數，啟動與讀寫的時間也算在內。",
    "Asks to be kept running between turns, so that the tree is kept.": "要求平台在回合之間不結束程式，以保留搜尋樹。",
    "How our moves are written: number, text, or point (row and column).": (
        "我方著法的寫法：number（編號）、text（文字）或 point（列與行）。"
    ),
    "Shows what a player thinks of a position: every move with its value, and the expected line.": (
        "顯示一個玩家對局面的看法：每一步的價值，以及預期的後續著法。"
    ),
    "Who thinks: uct, montecarlo:simulations=5000, perfect …; by default the game's strongest adviser.": (
        "由誰思考，例如 uct、montecarlo:simulations=5000、perfect……；預設是這個遊戲最強的顧問。"
    ),
    "How long it may think.": "最多可以思考幾秒。",
    "How many moves to show.": "最多列出幾種著法。",
    "Measures instead how much an evaluation changes from move to move.": "改為測量評價函數每一步的變動（平滑程度）。",
    "With --smoothness: games of self-play.": "搭配 --smoothness：自我對弈的局數。",
    "With --smoothness: which evaluation.": "搭配 --smoothness：用哪一種評價函數。",
    "With --smoothness: other weights than those of the room.": (
        "搭配 --smoothness：不用遊戲資料夾裡的權重，改用這個檔案。"
    ),
    "With --smoothness: draws it as a picture.": "搭配 --smoothness：畫成圖片。",
    # The page
    "Opens the page: play, analyse, review and watch training in a browser.": (
        "開啟網頁：在瀏覽器裡下棋、分析、覆盤，並觀看訓練。"
    ),
    "More games to offer: .py files, openspiel:NAME.": "另外提供的遊戲：.py 檔案或 openspiel:NAME。",
    "The address to answer on.": "伺服器的位址。",
    "The port; 0: any free one.": "連接埠；0 表示任何一個空的。",
    "Where games are kept; by default the user's data.": "存放對局的資料夾；預設在使用者的資料夾裡。",
    "Where training runs are; by default DATA/runs.": "存放訓練的資料夾；預設是對局資料夾裡的 runs。",
    "Opens the page in the browser.": "在瀏覽器裡打開網頁。",
    "What everyone must know who asks; needed beyond this machine.": (
        "通行碼，連線的人都必須知道；開放給其他電腦時一定要有。"
    ),
    "Processes that think; by default one per core.": "負責思考的行程數；預設每個核心一個。",
    "the page needs more packages: pip install 'sevenfold[serve]'.": (
        "網頁需要另外的套件：pip install 'sevenfold[serve]'。"
    ),
    "warning: everyone on the network who knows the token can use this server.": (
        "警告：網路上知道通行碼的人都能使用這個伺服器。"
    ),
    "The page is at {address} (Ctrl-C ends it).": "網頁在 {address}（按 Ctrl-C 結束）。",
    "For others on the network: {address}": "給區域網路上的其他人：{address}",
    "cannot answer on {host}:{port} ({why}); name another by --port.": (
        "無法使用 {host}:{port}（{why}）；請用 --port 指定另一個連接埠。"
    ),
    # Yardstick
    "Measures how often a player's move gives away a win or a draw, on solved positions of growing difficulty.": (
        "在難度遞增的已解局面上，量測玩家的著法有多常把勝局或和局送掉。"
    ),
    "Who is measured; alphazero also by its net alone.": "量測誰；alphazero 也會單獨量測它的網路。",
    "The net: a file, or the folder of a training run.": "網路：檔案，或訓練的資料夾。",
    "Simulations per move, where the player takes them.": "每一著的模擬次數（玩家有這個選項時）。",
    "The first N positions of each set; by default all.": "每組只取前 N 個局面；預設為全部。",
    "Sets from files in this folder instead of the game's own.": "改用這個資料夾裡的檔案，而不是遊戲自己的局面。",
    "Positions at once; by default one per core.": "同時處理幾個局面；預設每個核心一個。",
    "{player} takes no net; leave out --net.": "{player} 不用網路；請去掉 --net。",
    "verdicts, kept as they are found": "個判定，找到就存下",
    "answers": "個回答",
    "{done} answers in {time}": "{time} 內 {done} 個回答",
    "set": "組別",
    "The share of positions in which the move gives away a win or a draw.": "著法送掉勝局或和局的局面所佔的比例。",
    "Fits the weights of a game's linear evaluation to games, recorded ones or new ones of self-play.": (
        "用對局擬合線性評價函數的權重；對局可以是已有的記錄，或當場自我對弈。"
    ),
    "The recorded games; with --games the file in which they are kept.": (
        "對局記錄的檔案；搭配 --games 時，自我對弈的對局存在這裡。"
    ),
    "Plays so many games of self-play first.": "先自我對弈這麼多局。",
    "Who plays against itself.": "由哪個玩家自我對弈。",
    "The share of random moves in self-play.": "自我對弈中隨機著法的比例。",
    "What the fit makes small.": "擬合時的損失函數。",
    "How strongly the weights are held near 0, in games' worth of evidence.": (
        "把權重拉向 0 的力道（正則化），以幾局的證據為單位。"
    ),
    "The share of the games that is held out to measure the result.": "保留多少比例的對局來檢驗結果。",
    "Stores the weights in this file.": "把權重存到這個檔案。",
    "Stores the weights in the game's room, where players find them.": "把權重存進遊戲的資料夾，電腦玩家會自動使用。",
    "Plays many games between players, with fair seats, and says what the result means.": (
        "讓玩家對戰許多局，座位公平輪換，並說明結果代表什麼。"
    ),
    "The players: random, uct:simulations=1000, perfect …": "參賽的玩家，例如 random、uct:simulations=1000、perfect……",
    "How many games; rounded up to full rounds.": "下幾局；會補足成完整的輪次。",
    "Every opening begins with so many random moves; the same for every seating.": (
        "每個開局先隨機走幾步；換座位時用同一個開局。"
    ),
    "Time per move; who takes longer loses the game.": "每一步的時限（秒）；超過的人輸掉這一局。",
    "Games at once; by default one per core.": "同時進行的局數；預設每個核心一局。",
    "Stops as soon as a sequential test tells these two differences apart.": (
        "用序列檢定（SPRT）分辨這兩個 Elo 差距，一有結論就停止。"
    ),
    "Goes on: games that the --record file holds already are not played again.": (
        "接續先前的比賽：--record 檔案裡已有的對局不會重下。"
    ),
    "Adds the result to this rating list, and shows the list.": "把結果加進這個等級分名單，並顯示名單。",
    "Plays everyone against everyone, and rates them from all games together.": (
        "循環賽：所有玩家互相對戰，再用全部對局一起計算等級分。"
    ),
    "Openings; everyone plays everyone on each, on every seat.": ("開局的數目；每個開局所有人互相對戰，並輪換座位。"),
    "Whose Elo is 0; without it, the mean is.": "以哪個玩家的 Elo 為 0；不寫就以平均為 0。",
    "A net to start from (a file, a run, or shipped): layers that fit are taken over.": (
        "從這個網路開始（檔案、訓練資料夾或 shipped）：形狀相同的層會沿用。"
    ),
    "Game records to learn from first, of any player.": "先從這些對局紀錄學起，誰下的都可以。",
    "Writes a run's net as ONNX and safetensors, with a model card.": (
        "把一次訓練的網路寫成 ONNX 與 safetensors，並附上模型卡。"
    ),
    "The folder of a run.": "一次訓練的資料夾。",
    "Where to write it.": "寫到哪裡。",
    "The files' name.": "檔案的名稱。",
    "How it was made, for the card.": "寫進模型卡的製作方式。",
    "An option of the game that does not matter to the net, which plays with any value; may be repeated.": (
        "與這個網路無關的遊戲選項，任何值它都能下；可以重複。"
    ),
    "What `yardstick --json` printed, for the card.": "寫進模型卡的 `yardstick --json` 輸出。",
    "Shows a rating list that --ratings has written.": "顯示 --ratings 寫出的等級分名單。",
    "The rating list.": "等級分名單的檔案。",
    "Only this game, written as the list does.": "只顯示這個遊戲，寫法與名單相同。",
    "Reviews a recorded game: marks and scores every move, shows better ones, and says how exciting it was.": (
        "覆盤：為對局的每一步標記、評分，指出更好的著法，並估算精彩程度。"
    ),
    "A file of game records, such as --record writes.": "對局紀錄的檔案，例如 --record 寫出的檔案。",
    "Which game of the file, from 1; by default the last.": "檔案裡的第幾局，從 1 算起；預設是最後一局。",
    "Reviews every game of the file.": "覆盤檔案裡的每一局。",
    "Who judges: uct, montecarlo:simulations=5000, perfect …; by default the game's strongest adviser.": (
        "由誰評判，例如 uct、montecarlo:simulations=5000、perfect……；預設是這個遊戲最強的顧問。"
    ),
    "Time per move, all its alternatives together.": "評判每一步的秒數，包含所有其他選擇。",
    "How much worse than the best a good move may be; half the range is 1.": (
        "正著最多可以比最佳著法差多少；得分範圍的一半算 1。"
    ),
    "Moves without an alternative do not count for the means.": "只有一種走法的著法不計入平均。",
    "Judges each position by its own search alone, not by the one after it.": (
        "每個局面只依當下的搜尋評判，不參考下一個局面的搜尋。"
    ),
    "The rules, for a game that is not found by name: a .py file.": "無法用名稱找到的遊戲，在此指定規則：.py 檔案。",
    "Keeps the review in this file, move by move, and goes on from there.": (
        "把覆盤逐步存進這個檔案，下次從中斷的地方繼續。"
    ),
    "Draws the evaluation over the game: a .svg or .png file.": "畫出整局的評價曲線：.svg 或 .png 檔案。",
    # Errors
    "--smoothness plays whole games; leave out --moves and --position.": (
        "--smoothness 會下完整的對局，請拿掉 --moves 和 --position。"
    ),
    "give the games to fit to: --records FILE, or --games N to play them.": (
        "請指定用來擬合的對局：--records FILE，或用 --games N 當場下。"
    ),
    "give either --out or --room, not both.": "--out 和 --room 只能擇一。",
    "{game} has no room; name a file with --out.": "{game} 沒有自己的資料夾，請用 --out 指定檔案。",
    "{done} of {games} games are in {path}; the same command goes on.": (
        "{games} 局中的 {done} 局已存在 {path}；再下同樣的指令就會接續。"
    ),
    "give either --game or --all, not both.": "--game 和 --all 只能擇一。",
    "Is a bot of the Tetris Bot Protocol, for any frontend that speaks it.": (
        "作為 Tetris Bot Protocol 的機器人，可接任何支援它的遊戲。"
    ),
    "A suggestion comes at most so long after it is asked.": "從詢問到回答最多多久。",
    "Thinks in the background while nobody asks.": "沒有人問的時候在背景思考。",
    "Checks whether a program is a good bot of the Tetris Bot Protocol: legal moves, right spins, in time.": (
        "檢查程式是不是合格的 Tetris Bot Protocol 機器人：落點合法、旋轉正確、準時。"
    ),
    "The bot's program and its arguments, in quotes.": "機器人的程式和參數，加上引號。",
    "Pieces of the game it plays.": "測試對局的方塊數。",
    "The longest it may take.": "回答最多可以多久。",
    "The longest it may take to start.": "啟動最多可以多久。",
    "Same seed, same game.": "同樣的種子，同樣的對局。",
    "Reads a fumen, or writes recorded games of Tetris as fumens.": "讀取譜面（fumen），或把俄羅斯方塊的紀錄寫成譜面。",
    "A fumen, its address, or a file of records.": "譜面、它的網址，或紀錄檔。",
    "Whose side of a game for two.": "雙人對局中哪一方的譜面。",
    "Appends the game of a fumen to this file of records.": "把譜面的對局加到這個紀錄檔。",
    "{suggestions} suggestions, {moves} moves: {illegal} illegal, {spins} with a wrong spin": (
        "{suggestions} 次建議，{moves} 個落點：{illegal} 個不合法，{spins} 個旋轉標示錯誤"
    ),
    "The bot keeps the protocol.": "這個機器人符合協定。",
    "Advice: {count}.": "建議改進：{count} 項。",
    "The bot does not keep the protocol.": "這個機器人不符合協定。",
    "Broken: {count}.": "違反：{count} 項。",
    "page {number} of {count}": "第 {number} 頁，共 {count} 頁",
    "{folder} is no training run, and no report of a game; those are: {known}.": (
        "{folder} 不是訓練的資料夾，也不是遊戲的報告；遊戲的報告有：{known}。"
    ),
    "{path} holds no game.": "{path} 裡沒有任何對局。",
    "{path} has the games 1 to {count}, and no game {number}.": "{path} 裡有第 1 到 {count} 局，沒有第 {number} 局。",
    "a plot is a .svg or .png file, not {path!r}.": "圖檔必須是 .svg 或 .png，不能是 {path!r}。",
    "write the two hypotheses as --sprt ELO0,ELO1, such as 0,20, not {text!r}.": (
        "兩個假設要寫成 --sprt ELO0,ELO1，例如 0,20，不能是 {text!r}。"
    ),
    "{path} holds no results yet.": "{path} 裡還沒有任何結果。",
    "{message}; see {command} --help.": "{message}；請見 {command} --help。",
    "give either --moves or --position, not both.": "--moves 和 --position 只能擇一。",
    "name a game to play: {games}.": "請指定要玩的遊戲：{games}。",
    "write an option as NAME=VALUE, not {text!r}.": "選項要寫成 NAME=VALUE，不是 {text!r}。",
    "{key!r} is no option of a game; see --preset and --seed.": "{key!r} 不是遊戲的選項；請見 --preset 和 --seed。",
    "there is not enough memory for that.": "記憶體不足，無法這樣做。",
    "stopped.": "已停止。",
    "there is no folder {folder!r}.": "沒有 {folder!r} 這個資料夾。",
    "a game's name is in snake_case, such as my_game, not {name!r}.": (
        "遊戲名稱要用 snake_case，例如 my_game，不能是 {name!r}。"
    ),
    "{name!r} is a word of Python or C++; take another name.": "{name!r} 是 Python 或 C++ 的保留字，請換一個名稱。",
    "there already is a game {name!r}; take another name.": "已經有 {name!r} 這個遊戲，請換一個名稱。",
    "there already is a file {path!r}; take another name.": "已經有 {path!r} 這個檔案，請換一個名稱。",
    "{name!r} is a name of the C++ core; take another.": "{name!r} 是 C++ 核心用到的名稱，請換一個。",
    "a game in C++ needs a source checkout of sevenfold: go into one, use --at, or add --python.": (
        "C++ 遊戲要寫在 sevenfold 的原始碼裡：請切換到那個資料夾、用 --at 指定，或加上 --python。"
    ),
    "there are {wanted} seats for --against, not {given}.": "--against 只有 {wanted} 個座位，不是 {given} 個。",
    "--watch is for games without people; leave out --against human.": (
        "--watch 是沒有人參加的對局，請拿掉 --against human。"
    ),
    "--seat is a number from 1 to {players}, or random, not {seat!r}.": (
        "--seat 是 1 到 {players} 的數字，或 random，不能是 {seat!r}。"
    ),
    # Tables
    "yes": "有",
    "name": "名稱",
    "players": "人數",
    "chance": "隨機",
    "hidden": "隱藏資訊",
    "actions": "動作數",
    "abilities": "能力",
    "options": "選項",
    "option": "選項",
    "presets": "預設組合",
    "returns": "得分",
    "default": "預設值",
    "allowed": "可用的值",
    "meaning": "意義",
    "text": "文字",
    "a cell or none": "一格，或 none",
    "a number": "數字",
    "{low:g} to {high:g}": "{low:g} 到 {high:g}",
    "It has no options.": "沒有選項。",
    "Show one: sevenfold games GAME. Play one: sevenfold play GAME.": (
        "看一個遊戲：sevenfold games GAME。玩一局：sevenfold play GAME。"
    ),
    "ply": "步數",
    "distinct positions": "不同的局面",
    "action sequences": "著法序列",
    "of them ended": "其中已結束",
    "{count} at ply {depth}; {complete} complete; {total} in all, in {seconds:.2f} s ({speed} per second).": (
        "第 {depth} 步有 {count}；已結束的 {complete}；總共 {total}，費時 {seconds:.2f} 秒（每秒 {speed}）。"
    ),
    "counting …": "計算中……",
    "counting … {done} actions played": "計算中……已走 {done} 步",
    "Every property held.": "全部通過。",
    "Written:": "已寫好：",
    "Next:": "接下來：",
    # Matches and rating lists
    "{seconds:.1f} s": "{seconds:.1f} 秒",
    "{time} left": "還要 {time}",
    "the first game is being played …": "第一局進行中……",
    "{games} games in {time}": "{games} 局，費時 {time}",
    "{games} of {planned} games in {time}": "{planned} 局中的 {games} 局，費時 {time}",
    "player": "玩家",
    "games": "局數",
    "points": "積分",
    "score": "得分率",
    "mean return": "平均得分",
    "95 % interval": "95 % 區間",
    "return per deal": "每副得分",
    "won": "勝",
    "drawn": "和",
    "lost": "負",
    "last game": "最後對局",
    "Elo {elo} for {player}, which is the stronger one with a probability of {likelihood}.": (
        "{player} 的 Elo 差距是 {elo}，較強的機率為 {likelihood}。"
    ),
    "The sequential test says: {player} is stronger.": "序列檢定的結論：{player} 較強。",
    "The sequential test says: {player} is not stronger.": "序列檢定的結論：{player} 沒有較強。",
    "The numbered columns: points out of 100 against the player of that place.": (
        "編號的欄位：對上該名次的玩家，每 100 分得到幾分。"
    ),
    "Games lost by a fault: {count}.": "因出錯、違規或超時而輸的局數：{count}。",
    # Thinking
    "thinking … {done} tries": "思考中……已試 {done} 次",
    "{name} is to move.": "輪到 {name}。",
    "move": "著法",
    "visits": "次數",
    "share": "比例",
    "value": "價值",
    "proven": "已證明",
    "exact score": "精確分數",
    "prior": "先驗",
    "expected line": "預期著法",
    "yes, exactly": "是，精確值",
    "It chooses [b]{move}[/].": "選擇 [b]{move}[/]。",
    "Best move: [b]{move}[/]. {name} can expect {value:+.2f}.": (
        "最佳著法：[b]{move}[/]。{name} 預期得到 {value:+.2f}。"
    ),
    "Best move: [b]{move}[/]. It is proven that {name} wins.": "最佳著法：[b]{move}[/]。已證明 {name} 必勝。",
    "Best move: [b]{move}[/]. It is proven that {name} loses against good play.": (
        "最佳著法：[b]{move}[/]。已證明對手下得好的話 {name} 必敗。"
    ),
    "Best move: [b]{move}[/]. It is proven to be a draw.": "最佳著法：[b]{move}[/]。已證明是和局。",
    "Best move: [b]{move}[/]. It is proven that {name} gets {value:+g}.": (
        "最佳著法：[b]{move}[/]。已證明 {name} 得到 {value:+g}。"
    ),
    "{player}: {nodes} tries in {seconds:.2f} s, {speed} per second": (
        "{player}：試了 {nodes} 次，{seconds:.2f} 秒，每秒 {speed} 次"
    ),
    ", {memory:.1f} MB": "，{memory:.1f} MB",
    ", depth {depth}": "，深度 {depth}",
    "steps: {steps}": "各步驟：{steps}",
    # Training
    "Trains a net by self-play, from nothing, in a folder that outlives every interruption.": (
        "從零開始，用自我對弈訓練網路；一切都存在一個資料夾裡，隨時可以中斷再接續。"
    ),
    "How to train: quick (the default), laptop, overnight …; --list shows them.": (
        "訓練方式：quick（預設）、laptop、overnight……；用 --list 列出全部。"
    ),
    "The run's folder; by default runs/GAME-PRESET.": "訓練的資料夾；預設是 runs/GAME-PRESET。",
    "A setting, such as learning.batch=256; several times, if needed.": (
        "更改設定，例如 learning.batch=256；可以重複使用。"
    ),
    "Same seed, same dice.": "種子相同，骰子就相同。",
    "Ends after so long, not as the preset says.": "訓練幾分鐘後結束，取代預設組合的規定。",
    "Ends after so many iterations, not as the preset says.": "訓練幾輪後結束，取代預設組合的規定。",
    "Goes on with a run that was stopped.": "接續一個中斷的訓練。",
    "Shows the presets for the game.": "列出這個遊戲的訓練方式。",
    "Tries everything once, in a minute, and says what it found.": "用一分鐘把每個環節試一遍，並說明結果。",
    "Shows nothing while it trains.": "訓練時不顯示進度。",
    "Writes what a run has done: a summary in Markdown, and its curves as pictures.": (
        "寫出訓練的成果：Markdown 摘要，以及曲線圖。"
    ),
    "The folder of a run, done or not; or a game's own report, such as sevens-behaviours.": (
        "訓練的資料夾，不論是否已經結束；或某個遊戲自己的報告，例如 sevens-behaviours。"
    ),
    "The folder to write to; by default RUN/report.": "要寫入的資料夾；預設是 RUN/report。",
    "a run goes on as it began; leave out {option}.": "訓練會照原本的設定接續；請拿掉 {option}。",
    "the game is named by GAME and its options; leave out {option}.": "遊戲由 GAME 與它的選項指定；請拿掉 {option}。",
    "name a game to train, or a run to go on with: --resume RUN.": "請指定要訓練的遊戲，或用 --resume RUN 接續訓練。",
    "write a setting as NAME=VALUE, such as learning.batch=256, not {text!r}.": (
        "設定要寫成 NAME=VALUE，例如 learning.batch=256，不能是 {text!r}。"
    ),
    "the game of the run, {game}, is not found ({error}); name it: sevenfold train GAME --resume RUN.": (
        "找不到這個訓練的遊戲 {game}（{error}）；請指定：sevenfold train GAME --resume RUN。"
    ),
    "the run is of {game}, not of {other}.": "這個訓練的遊戲是 {game}，不是 {other}。",
    "the run is kept in {folder}; go on with: {command}": "訓練已存在 {folder}；接續請用：{command}",
    "starting …": "準備中……",
    "self-play": "自我對弈",
    "learning from records": "從棋譜學習",
    "learning": "學習",
    "gate": "新舊對決",
    "rating": "評測棋力",
    "saving …": "存檔中……",
    "done": "完成",
    "the run": "整體進度",
    "iteration {number}": "第 {number} 輪",
    "{count} games": "{count} 局",
    "{rate} evaluations/s": "每秒評估 {rate} 次",
    "loss {loss:.3f} (value {value:.3f}, policy {policy:.3f})": (
        "損失 {loss:.3f}（價值 {value:.3f}，策略 {policy:.3f}）"
    ),
    "/s": "/秒",
    "evaluations": "網路評估",
    "from the cache": "取自快取",
    "steps of learning": "學習步數",
    "exact values": "精確價值",
    "window": "學習視窗",
    "learning rate": "學習率",
    "loss": "損失",
    "policy": "策略",
    "policy right": "策略命中",
    "of it the weights {value:.3f}": "其中權重 {value:.3f}",
    "the least possible {value:.3f}": "下限 {value:.3f}",
    "entropy {value:.3f}": "熵 {value:.3f}",
    "best tried {points:+.1f} points": "試過的最佳著法 {points:+.1f} 分",
    "{points:+.1f} points": "{points:+.1f} 分",
    "strength after iteration {number}": "第 {number} 輪之後的棋力",
    "The run is done. Play against it:": "訓練完成。與它對弈：",
    "What it has done, with curves:": "訓練的成果與曲線：",
    "Every setting, with its default:": "所有設定與預設值：",
    "Begin: {command}": "開始：{command}",
    "trying: {step} …": "測試中：{step}……",
    "Everything works, after {seconds:.0f} seconds. Begin: {command}": (
        "一切正常，費時 {seconds:.0f} 秒。開始：{command}"
    ),
    "It cannot be trained like this; what has an XX above says why.": "這樣無法訓練；原因見上面標示 XX 的項目。",
    # Fitting an evaluation
    "{loss}, {games} games, {positions} positions": "{loss}，{games} 局，{positions} 個局面",
    "The games are in {path}.": "對局存在 {path}。",
    "term": "項目",
    "weight": "權重",
    "spread": "標準差",
    "weight × spread": "權重 × 標準差",
    "positions": "局面數",
    "log-loss": "對數損失",
    "right": "猜對勝方",
    "off by": "校準誤差",
    "linear, fitted to": "線性，擬合用",
    "linear, held out": "線性，檢驗用",
    "heuristic": "內建評價",
    "heuristic, held out": "內建評價，檢驗用",
    "±: the 95 % interval of a weight. Log-loss: a coin has 0.6931. Right: about the winner. Off by: the mean "
    "distance between expected and real points.": (
        "±：權重的 95 % 區間。對數損失：丟硬幣是 0.6931。校準誤差：預期得分與實際得分的平均差距。"
    ),
    "Games left out because they are not finished: {count}.": "因未下完而略過的對局：{count}。",
    "The game's own heuristic names the winner more often than these weights; evaluation=heuristic uses it.": (
        "遊戲內建的評價比這組權重更常猜中勝方；可以用 evaluation=heuristic。"
    ),
    "The weights were not stored; {option} stores them.": "權重沒有儲存；加上 {option} 就會儲存。",
    "Stored in {path}.": "已存到 {path}。",
    "Use: {command}": "用法：{command}",
    # Smoothness
    "evaluation {kind}, {games} games of {player} against itself": "評價函數 {kind}，{player} 自我對弈 {games} 局",
    "steps": "步數",
    "mean": "平均",
    "median": "中位數",
    "largest": "最大",
    "within the game": "對局中",
    "into its end": "走到終局",
    "95 % of the steps within the game are at most ε = {epsilon:.3f}.": (
        "對局中 95 % 的步，變動不超過 ε = {epsilon:.3f}。"
    ),
    "95 % of the moves gain the mover at most R = {razor:.3f}: a margin for razoring.": (
        "95 % 的著法讓走的人最多改進 R = {razor:.3f}：可以當作 Razor 的界線。"
    ),
    "Largest steps within the game:": "對局中變動最大的步：",
    "Into its end:": "走到終局的步：",
    "V of the two players adds up to 0 within {inside:.2g} in the game and {ends:.2g} at its end": (
        "兩人的評價相加為 0，對局中的誤差是 {inside:.2g}，終局是 {ends:.2g}"
    ),
    "antisymmetry is asked only of two players with a sum of zero": "只有雙人零和遊戲要求對稱性",
    "no guess is as good as a win: at most {most:.4f} of one": "估計值都不到勝局的值：最多是 {most:.4f}",
    "The contract is kept:": "符合評價函數的約定：",
    "The contract is broken:": "違反評價函數的約定：",
    "Positions at the very limit of the range, where the evaluation is flat: {count}.": (
        "評價到頂、分不出差別的局面：{count}。"
    ),
    # Reviews
    "forced": "唯一走法",
    "only good": "唯一正著",
    "only blunder": "唯一錯著",
    "{mark}, in hindsight": "{mark}（事後看）",
    "good": "正著",
    "slack": "緩手",
    "blunder": "錯著",
    "mark": "標記",
    "better": "更好的著法",
    "best moves": "最佳著法",
    "mean points": "平均積分",
    "game": "遊戲",
    "moves": "步數",
    "excitement": "精彩程度",
    "Excitement: ": "精彩程度：",
    "game {number}": "第 {number} 局",
    "game {number} of {games}": "第 {number} 局，共 {games} 局",
    "{done} of {count} moves": "{count} 步中的 {done} 步",
    "reviewed by {player}, tolerance {tolerance:g}": "由 {player} 覆盤，容許差距 {tolerance:g}",
    "To review this game: {command}": "覆盤這一局：{command}",
    # At the table
    "Which game? (number or name): ": "玩哪個遊戲？（輸入編號或名稱）：",
    "seed": "種子",
    "You": "你",
    "Player {number}": "玩家 {number}",
    "Chance": "隨機事件",
    ", ": "、",
    "In order of their turns: {names}.": "輪流的順序：{names}。",
    "You can also type [b]undo[/], [b]hint[/], [b]moves[/], [b]quit[/], or [b]?[/] for help.": (
        "也可以輸入 [b]undo[/]（悔棋）、[b]hint[/]（提示）、[b]moves[/]（著法）、[b]quit[/]（離開）或 [b]?[/]（說明）。"
    ),
    "Your move": "輪到你",
    "{count} moves, such as {move}": "{count} 種著法，例如 {move}",
    "1 move:": "1 種著法：",
    "{count} moves:": "{count} 種著法：",
    "… and {count} more.": "……還有 {count} 種。",
    "Chance decides: [b]{move}[/].": "隨機結果：[b]{move}[/]。",
    "{name} plays [b]{move}[/].": "{name} 走 [b]{move}[/]。",
    "{name} has moved, and you do not see how.": "{name} 走了一步，你看不到內容。",
    "{name} is thinking …": "{name} 思考中……",
    "{typed} is not a move here; type [b]moves[/] to see yours, or [b]?[/] for help.": (
        "這裡不能走 {typed}；輸入 [b]moves[/] 看所有著法，或輸入 [b]?[/] 看說明。"
    ),
    "There is nothing to take back: this is your first decision.": "還沒有可以悔的棋：這是你的第一步。",
    "Hint: [b]{move}[/]. {judgement}": "提示：[b]{move}[/]。{judgement}",
    "({player}, after {nodes} tries in {seconds:.2f} s)": "（{player}，試了 {nodes} 次，{seconds:.2f} 秒）",
    "{verdict}: it expects {share:.0f} points out of 100.": "{verdict}：預期 100 分裡得 {share:.0f} 分。",
    "It looks winning for you": "你看來要贏了",
    "You are ahead": "你領先",
    "It looks even": "雙方勢均力敵",
    "You are behind": "你落後",
    "It looks lost for you": "你看來要輸了",
    "It expects a result of about {value:+.2f} for you.": "預期你的得分大約是 {value:+.2f}。",
    "No hint can be given: {reason}": "無法給提示：{reason}",
    "a move": "著法",
    "plays it; write it as the list of moves does": "走這一步；寫法與 moves 列出的相同",
    "lists your legal moves": "列出你的合法著法",
    "takes back everything since your previous decision": "悔棋，回到你上一次決定的時候",
    "asks a computer player for advice": "請電腦玩家給建議",
    "gives this game up": "認輸，放棄這一局",
    "leaves; Ctrl-C and Ctrl-D do too": "離開；Ctrl-C 和 Ctrl-D 也可以",
    "Where a move has the same name as a command, write the command as /undo, /hint …": (
        "如果著法與指令同名，指令可以寫成 /undo、/hint……"
    ),
    "It is the turn of {name}. Hand over the keyboard.": "輪到{name}，請交出鍵盤。",
    "Press Enter when nobody else is looking: ": "確定沒有別人在看之後，請按 Enter：",
    "You give this game up.": "你放棄了這一局。",
    "The game is over.": "遊戲結束。",
    "The game is over: {value:g} points.": "遊戲結束：{value:g} 分。",
    "The game is a draw.": "平手。",
    "You win!": "你贏了！",
    "You lose; {name} wins.": "你輸了，{name} 獲勝。",
    "The winner is {names}.": "{names} 獲勝。",
    "Another game? (yes, no or undo): ": "再來一局嗎？（yes、no 或 undo）：",
    "The input has ended, and the game stops here.": "輸入結束了，這一局就到這裡。",
    "Goodbye.": "再見。",
}

export default {
  "{seconds} s": "{seconds} 秒",
  "{minutes} min {seconds} s": "{minutes} 分 {seconds} 秒",
  "{hours} h {minutes} min": "{hours} 小時 {minutes} 分",
  "Loading …": "載入中…",

  // the list
  "A net that knows only the rules plays against itself, learns from its own games, and becomes strong.":
    "一個只懂規則的神經網路跟自己對弈，從自己的棋局中學習，漸漸變強。",
  Runs: "訓練紀錄",
  "There are no runs yet: start the first one above.": "還沒有任何訓練紀錄，請從上面開始第一次訓練。",
  Game: "遊戲",
  Preset: "設定組",
  Iterations: "迭代",
  "Games played": "已下局數",
  Took: "用時",
  "Last change": "最近更新",
  running: "進行中",
  failed: "失敗",
  ended: "已結束",

  // a new run
  "Start a run": "開始訓練",
  "Tic-tac-toe needs about two minutes on a small computer to become a player that hardly ever loses.":
    "井字棋在小型電腦上大約兩分鐘，就能練成幾乎不會輸的玩家。",
  "quick: minutes": "quick：幾分鐘",
  "laptop: an hour": "laptop：一小時",
  "overnight: a night": "overnight：一個晚上",
  "tutorial: as in the AlphaZero tutorial": "tutorial：與 AlphaZero 教學相同",
  "Minutes, at most": "最多幾分鐘",
  "Starting …": "啟動中…",
  "Start learning": "開始學習",

  // one run
  "All runs": "所有訓練紀錄",
  Stop: "停止",
  "Stopping …": "停止中…",
  Progress: "進度",
  "It is getting ready; the first numbers come after the first iteration.": "正在準備；完成第一個迭代後就會有數字。",
  "about {time} left": "大約還剩 {time}",
  "Took {time}.": "用時 {time}。",
  "Last words": "最後的訊息",
  "This run has failed. Its last words:": "這次訓練失敗了，最後的訊息是：",
  iteration: "迭代",
  Iteration: "迭代",
  "Positions seen": "局面數",
  "Games per second": "每秒局數",
  "Positions per second": "每秒局面數",
  "Evaluations per second": "每秒評估次數",
  Losses: "損失",
  "Total loss": "總損失",
  "Policy loss": "策略損失",
  "Value loss": "價值損失",
  Strength: "棋力",
  "An older self": "較早的自己",
  Score: "得分率",
  Elo: "Elo",
  "How wrong the net is: down is better.": "網路錯得多離譜：越低越好。",
  "Share of the points against fixed opponents: up is better, 50 % is equal.":
    "對固定對手的得分率：越高越好，50 % 表示勢均力敵。",
  "Points per game without a search, among copies of fixed opponents: up is better, 0 is as good as they are.":
    "不做搜尋，與固定對手同桌時平均每局的得分：越高越好，0 表示跟對手一樣強。",
  "Elo difference to fixed opponents: up is better, 0 is equal.": "與固定對手的 Elo 差距：越高越好，0 表示勢均力敵。",
  "Games against itself; learning counts in.": "自我對弈的局數；學習的時間也算在內。",
  "Games that were finished; learning counts in.": "下完的局數；學習的時間也算在內。",
  "Positions to learn from.": "可供學習的局面。",
  "Questions to the net, while games are played.": "對弈期間向網路詢問的次數。",
  "Nothing to draw yet.": "還沒有資料可畫。",
  "The numbers as a table": "以表格顯示數字",
  "This run plays no matches, so nothing is known about its strength; compare its checkpoints below.":
    "這次訓練不安排比賽，所以不知道棋力；可以在下面比較檢查點。",

  // checkpoints and matches
  Checkpoint: "檢查點",
  Checkpoints: "檢查點",
  "checkpoint {iteration}": "檢查點 {iteration}",
  "The first checkpoint comes with the first iteration.": "完成第一個迭代後，就會有第一個檢查點。",
  after: "經過時間",
  "Score against": "對戰得分率",
  "Points per game against": "對戰時每局得分",
  "Play against it": "跟它下一局",
  "Play against it: checkpoint {iteration}": "跟它下一局：檢查點 {iteration}",
  "Show all {count}": "顯示全部 {count} 個",
  "Show fewer": "顯示較少",
  Compare: "比較",
  "Two players meet in a match, each beginning half of the games.": "兩個玩家進行一場比賽，各先手一半的對局。",
  "First player": "第一個玩家",
  "Second player": "第二個玩家",
  "Number of games": "局數",
  Players: "玩家",
  "random moves": "隨機走子",
  "Start the match": "開始比賽",
  "{games} of {planned} games": "{planned} 局中的第 {games} 局",
  "Wins, draws, losses": "勝、和、敗",
  "{name} is the stronger one.": "{name}較強。",
  "So few games do not tell who is stronger.": "局數太少，還看不出誰比較強。",
  "In brackets: where the true number is, with 95 % certainty.": "括號內：真正的數值有 95 % 的把握落在這個範圍。",

  // the net's first thought
  "What it thinks of the empty board": "它怎麼看空棋盤",
  "The newest net alone, without any search: the stronger the colour, the more it likes the move. At first it likes all of them alike.":
    "只看最新的網路，不做搜尋：顏色越深，表示它越喜歡那一手。剛開始時，它對每一手都差不多喜歡。",
  "Checkpoint {iteration}": "檢查點 {iteration}",
  "It expects {value} for the first player (1: a sure win, −1: a sure loss).": "它預期先手的結果是 {value}（1：必勝，−1：必敗）。",

  // the configuration
  "What this run does": "這次訓練的做法",
  Net: "網路",
  "Self-play": "自我對弈",
  Openings: "開局",
  Learning: "學習",
  End: "結束",
  "{blocks} blocks of {channels} channels.": "{blocks} 個殘差塊，每個 {channels} 個通道。",
  "{games} games per iteration, {simulations} simulations for every move.": "每個迭代 {games} 局，每一手 {simulations} 次模擬。",
  "{games} games per iteration; {simulations} simulations for {share} of the moves, {fast} for the others.":
    "每個迭代 {games} 局；{share} 的著法做 {simulations} 次模擬，其餘做 {fast} 次。",
  "Moves are found by the Gumbel method.": "著法由 Gumbel 方法決定。",
  "Moves are drawn by their visits, with some noise.": "著法依訪問次數抽選，並加入一些雜訊。",
  "How it plays": "對局方式",
  "{games} games per iteration, without a search.": "每個迭代 {games} 局，不做搜尋。",
  "At the tables": "同桌玩家",
  "the net itself": "網路自己",
  "{who} ({share} of the tables)": "{who}（{share} 的牌桌）",
  "Every move is tried to the end of the game; {who} plays on.": "每一種著法都試到終局，之後由 {who} 接著下。",
  "What a move brought is compared with what was foreseen.": "比較每一手帶來的結果與事前的預期。",
  "All games begin at the start.": "每一局都從開局開始。",
  "{share} of the games begin with up to {plies} random moves, so that they differ.":
    "{share} 的對局先隨機走最多 {plies} 手，讓棋局有變化。",
  "Batches of {batch} positions, each position about {passes} times; the learning rate goes from {rate} to {last}.":
    "每批 {batch} 個局面，每個局面大約學 {passes} 次；學習率由 {rate} 降到 {last}。",
  "No matches during the run.": "訓練期間不安排比賽。",
  "Every {every} iterations {games} games against each of: {anchors}.": "每 {every} 個迭代，與下列對手各下 {games} 局：{anchors}。",
  "After {iterations} iterations.": "{iterations} 個迭代之後。",
  "After {iterations} iterations or {minutes} minutes.": "{iterations} 個迭代或 {minutes} 分鐘之後。",

  // what the numbers mean
  "What the numbers mean": "這些數字是什麼意思",
  "One round: the net plays some hundred games against itself, then learns from them.":
    "一個回合：網路跟自己下幾百局，再從這些棋局中學習。",
  "The net as it was after an iteration, kept so that one can play against it.":
    "某個迭代結束時的網路，保存下來，可以跟它對弈。",
  "How wrong the net is in all; the run tries to make it small.": "網路整體上錯得多離譜；訓練的目標就是讓它變小。",
  "How surprised the net is by the moves that its own search prefers; it cannot reach zero where several moves are equally good.":
    "搜尋偏好的著法讓網路多麼意外；如果有好幾手一樣好，就不可能降到零。",
  "One round: some hundred games or more are played, and the net learns from them.":
    "一個回合：先下幾百局或更多，網路再從這些對局中學習。",
  "How far the net is from what its moves brought; most of that is luck, so that it hardly falls.":
    "網路與各著法實際結果的差距；其中大部分是運氣，所以降得很少。",
  "How much likelier an update makes what brought more than was foreseen; it stays near 0.":
    "每次更新讓結果優於預期的著法變得多有可能；數值會一直接近 0。",
  "Points per game": "每局得分",
  "What the net gets without a search, on average over all seats of the same deals; 0 is as good as the opponent.":
    "網路不做搜尋時，同樣的牌輪流坐每個座位的平均得分；0 表示跟對手一樣強。",
  "How many games were finished per second, with the time for learning counted in.":
    "每秒下完幾局，學習的時間也算在內。",
  "How far the net's guess of the result is from the result.": "網路預測的結果與實際結果相差多遠。",
  "The share of the points in a match: a win counts one, a draw one half; 50 % means equally strong.":
    "在一場比賽中拿到幾成的分數：贏算一分，和算半分；50 % 表示一樣強。",
  "The same as a difference in strength: 0 means equal, +200 wins about three points of four, +400 ten of eleven.":
    "用棋力差距來表示同一件事：0 表示一樣強，+200 大約四分拿三分，+400 大約十一分拿十分。",
  "How many games against itself were finished per second, with the time for learning counted in.":
    "每秒下完幾局自我對弈，學習的時間也算在內。",
  "How many positions to learn from that gave per second.": "每秒由此得到幾個可供學習的局面。",
  "How often per second the net was asked for its opinion while games were played.":
    "對弈期間，每秒詢問網路意見幾次。",
  "More about it: {page}": "更多說明：{page}",
} as Record<string, string>;

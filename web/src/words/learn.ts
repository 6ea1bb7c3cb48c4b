export default {
  "Look inside one simulation": "看看一次模擬的內部",
  "In short: how a computer thinks about a move": "簡單地說：電腦怎麼思考一手棋",
  "How does a program find a good move? It tries moves out in its head, many times over, and takes notes. One such try is called a simulation, and this page shows a single one, step by step.":
    "程式怎麼找到好棋？它在腦中一次又一次地試走，並且做筆記。這樣試走一次叫做一次「模擬」；這一頁把其中一次模擬，一步一步拆開來看。",
  "A simulation begins at the position on the board, the root. It follows moves that it has tried before, until it meets a position that is new. It asks how good that position is, and writes the answer down beside every move on its way. That is all; the next simulation starts at the root again, a little wiser.":
    "模擬從棋盤上現在的局面（根節點）出發，沿著以前試過的著法往下走，直到遇見一個新的局面。它問這個局面有多好，再把答案記在沿途每一手旁邊。就這樣而已；下一次模擬又從根節點開始，只是比上次聰明了一點。",
  "Moves that have done well are tried more often, and still every move gets its turn now and then. After some hundreds of simulations, the move that was tried most is the one that is played.":
    "表現好的著法會更常被試，但每一手偶爾都有機會。經過幾百次模擬之後，試得最多的那一手，就是實際要下的一手。",
  "The two methods differ in how they ask. UCT plays random moves to the end of the game and looks who has won. AlphaZero asks a net that has learnt from games against itself; the net also says which moves deserve a look first.":
    "兩種方法的差別在於怎麼問。UCT 從那裡隨機下到終局，看誰贏了。AlphaZero 則詢問一個從自我對弈中學會的神經網路；網路還會說哪幾手值得先看。",
  "The whole story, formula by formula: {page}": "完整的說明，一個公式一個公式地講：{page}",

  // choices
  Method: "方法",
  "UCT: random games": "UCT：隨機對局",
  "AlphaZero: with a net": "AlphaZero：使用神經網路",
  Position: "局面",
  "another, as text …": "其他局面，用文字輸入…",
  "Text of the position": "局面的文字",
  "Show it": "顯示",
  "Simulations made before": "之前做過的模擬次數",
  "The empty board": "空棋盤",
  "A threat to see: only one move does not lose": "看出威脅：只有一手不會輸",
  "A win to find: two threats at once": "找出贏法：同時做出兩個威脅",
  "Three moves from the end": "再三手就結束",
  "Two in the middle: stop them now": "中間已有兩子：現在就要擋",
  "Three on top of each other": "直的已有三子",

  // steps
  Select: "選擇",
  Expand: "擴展",
  Evaluate: "評估",
  "Back up": "回傳",
  "Step back": "上一步",
  "Next step": "下一步",
  "Simulation {number}, step {step} of {steps}": "第 {number} 次模擬，第 {step} 步，共 {steps} 步",
  "Next simulation": "下一次模擬",
  "Keys: ← and → for the steps, n for the next simulation.": "按鍵：← 和 → 切換步驟，n 進入下一次模擬。",
  "This step": "這一步",
  "Select: which move does it try here?": "選擇：在這裡要試哪一手？",
  "Expand: a new position joins the tree": "擴展：新的局面加入樹中",
  "Evaluate: how good is this position?": "評估：這個局面有多好？",
  "Back up: everybody on the way remembers": "回傳：沿途每一手都記下結果",
  "{name} is to move. Every move gets a number: how well it has done (Q), and a bonus that is large while it has been tried little. The largest number wins.":
    "輪到{name}。每一手都得到一個數字：到目前為止的成績（Q），加上一份獎勵，試得越少獎勵越大。數字最大的那一手獲選。",
  "{name} is to move. Every move gets a number: how well it has done (Q), and a bonus that is large where the net likes the move and few simulations have gone there. The largest number wins.":
    "輪到{name}。每一手都得到一個數字：到目前為止的成績（Q），加上一份獎勵；網路越喜歡、模擬走過的次數越少，獎勵就越大。數字最大的那一手獲選。",
  "The walk has left the part that is known. This position becomes a new node, and its possible moves become branches for later.":
    "這一趟走出了已知的範圍。這個局面成為新的節點，它的合法著法成為日後的分枝。",
  "The game is over here; the rules say who has won.": "棋局在這裡結束，誰贏由規則決定。",
  "From here, moves are played at random to the end of the game. Who wins that game gives the value.":
    "從這裡隨機下到終局；誰贏了那一局，就決定這個局面的價值。",
  "The net looks at this position and says how it expects the game to end, and which moves deserve a look.":
    "網路看這個局面，說出它預期的結果，以及哪幾手值得看。",
  "What is below has been searched to the end: the result is known for sure.":
    "這個局面之後的變化都已搜尋到底，結果是確定的。",
  "The value goes back up along the path. Every move on it counts one visit more, and its mean Q shifts towards the value, as the player who made the move sees it: what is good for one is bad for the other.":
    "價值沿著原路往上傳。路上的每一手都多記一次訪問，平均值 Q 也往這個價值移動；價值以下那一手的玩家的角度來看：對一方好的，對另一方就是壞的。",
  "value for {name}": "對{name}的價值",
  "1 is a win, −1 a loss, 0 a draw.": "1 是贏，−1 是輸，0 是和局。",
  "The lines that do it": "執行這一步的程式碼",

  // tables and the tree
  move: "著法",
  visits: "訪問次數",
  "What the letters mean": "各個字母的意思",
  "how well the move has done so far: the mean of the values it led to, for the player to move":
    "這一手到目前為止的成績：它帶來的價值的平均，以輪到的玩家來看",
  "how many simulations have come through this position": "有多少次模擬經過這個局面",
  "how many of them took this move": "其中有多少次選了這一手",
  "how much the net likes the move at first sight": "網路第一眼有多喜歡這一手",
  "how curious the search is: larger means that it tries rare moves more often":
    "搜尋有多好奇：越大，就越常嘗試少走的著法",
  "a move not tried yet is taken for so much worse than the position has been so far":
    "還沒試過的一手，先當作比這個局面到目前為止的成績差這麼多",
  "The formula for every move": "每一手的公式",
  "the formula with its numbers": "代入數字的公式",
  sum: "總和",
  "not tried yet: comes first": "還沒試過：優先",
  "How much the net likes each of its moves at first sight (P):": "網路第一眼有多喜歡它的每一手（P）：",
  "There is no net for this game: every position counts as even, and only the ends of games teach something.":
    "這個遊戲沒有神經網路：每個局面都當作均勢，只有終局能提供資訊。",
  "(chosen)": "（獲選）",
  "What changes on the way back": "回傳途中的變化",
  by: "誰下的",
  "value added": "加入的價值",
  "the root": "根節點",
  "There is no move above the root: only the root itself has been added.": "根節點之上沒有著法，這次只加入了根節點本身。",
  "The tree": "搜尋樹",
  "The tree so far; this simulation is at: {path}.": "目前的搜尋樹；這次模擬走到：{path}。",
  "In the circles: visits. Below them: the move, and its mean value Q. The thick line is this simulation.":
    "圓圈裡是訪問次數；下面是著法和它的平均價值 Q。粗線是這次模擬。",
  new: "新",
  "After {moves} from the root.": "從根節點走 {moves} 之後。",
  "The root: the position it thinks about.": "根節點：正在思考的局面。",
} as Record<string, string>;

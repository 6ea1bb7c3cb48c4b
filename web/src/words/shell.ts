export default {
  Games: "遊戲",
  Training: "訓練",
  Learn: "學習",
  "Skip to content": "跳到內容",
  Language: "語言",
  Theme: "外觀",
  light: "淺色",
  dark: "深色",
  "as the system": "跟隨系統",
  "There is nothing at this address; here are the games.": "這個網址什麼都沒有；遊戲都在這裡。",
} as Record<string, string>;

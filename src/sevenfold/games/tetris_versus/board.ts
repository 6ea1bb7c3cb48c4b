// The board of tetris draws one side or two.
export { default } from "../tetris/board";

// uPlot with its style sheet, as one part of the page that is loaded when the first chart is shown.
import "uplot/dist/uPlot.min.css";

export { default as UPlot } from "uplot";

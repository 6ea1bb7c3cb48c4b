// Short messages at the edge of the page: what the server refused, what has been copied. They never cover the board for
// good: people close them, and the friendly ones go by themselves.
export interface Toast {
  id: number;
  text: string;
  kind: "error" | "done";
}

export const toasts = $state<Toast[]>([]);
let count = 0;

export function toast(text: string, kind: Toast["kind"] = "error"): void {
  if (toasts.some((one) => one.text === text)) return;
  count += 1;
  const id = count;
  toasts.push({ id, text, kind });
  if (toasts.length > 4) toasts.shift();
  setTimeout(() => close(id), kind === "done" ? 2500 : 12_000);
}

export function close(id: number): void {
  const index = toasts.findIndex((one) => one.id === id);
  if (index >= 0) toasts.splice(index, 1);
}

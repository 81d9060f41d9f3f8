export { askSecret } from "./listen/ask-secret.ts";
export { type ListenOptions, listen } from "./listen/listen.ts";

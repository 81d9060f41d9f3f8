import type { en } from "./en.ts";

/** The texts of one language for everything that a merchant can see. */
export type Texts = typeof en;

/** Which failure an error page tells. */
export type FailureKind = keyof Texts["failure"];

/** Why a person was not added to a shop, or not removed. */
export type MemberProblem = keyof Texts["members"]["problem"];

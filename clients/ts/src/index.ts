export { Client, newIdempotencyKey, type DeliveryLine, type Options } from "./client.ts";
export { Cut, NotUnderstood, Problem } from "./problem.ts";
export type { Records } from "./types.ts";
export { canonical, NotVerified, parseStrict, verifyReceipt, verifyRecord, type Fault, type Keys } from "./verify.ts";

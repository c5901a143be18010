// The generated types of one operation, under names that the rest of the client
// can use.
import type { components, paths } from "./api.gen.ts";

/** The records of the service, by their names in the API description. */
export type Records = components["schemas"];

export type Method = "get" | "post";

/** The paths that support a method. */
export type PathsOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, { responses: object }> ? P : never;
}[keyof paths];

export type OperationOf<M extends Method, P extends keyof paths> = paths[P] extends Record<M, infer O> ? O : never;

type Member<O, K extends string> = O extends Record<K, infer V> ? NonNullable<V> : O extends { [N in K]?: infer V } ? NonNullable<V> : never;
type Parameters<O, K extends string> = Member<Member<O, "parameters">, K>;

/** The input of a call: the parts of the path, the query, the body and some headers. */
export interface Ask<O> {
  path?: Parameters<O, "path">;
  query?: Parameters<O, "query">;
  body?: Json<Member<O, "requestBody">>;
  /** The idempotency key: a request is created once for each key, however often it is sent. */
  idempotencyKey?: string;
  /** The token of a conversation. */
  conversation?: string;
  /** The answer to a challenge, which is sent in the header Service-Proof. */
  proof?: string;
  signal?: AbortSignal;
}

type Json<R> = R extends { content: { "application/json": infer B } } ? B : never;
type Given<O, S extends number> = O extends { responses: infer R } ? (S extends keyof R ? Json<R[S]> : never) : never;

/** The record that an operation answers with. */
export type AnswerOf<O> = Given<O, 200> | Given<O, 201>;

/** The record type of the list that an operation answers with. */
export type RecordOf<O> = AnswerOf<O> extends { data: (infer T)[] } ? T : never;

/** The paths that answer with a list. */
export type ListPaths = { [P in PathsOf<"get">]: AnswerOf<OperationOf<"get", P>> extends { data: unknown[]; page: unknown } ? P : never }[PathsOf<"get">];

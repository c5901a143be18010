// The generated types of one operation, under names that the rest of the client
// can use.
import type { components, paths } from "./api.gen.ts";

/** The records of the service, by the names of the description. */
export type Records = components["schemas"];

export type Method = "get" | "post";

/** The paths that have a method. */
export type PathsOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, { responses: object }> ? P : never;
}[keyof paths];

export type OperationOf<M extends Method, P extends keyof paths> = paths[P] extends Record<M, infer O> ? O : never;

type Member<O, K extends string> = O extends Record<K, infer V> ? NonNullable<V> : O extends { [N in K]?: infer V } ? NonNullable<V> : never;
type Parameters<O, K extends string> = Member<Member<O, "parameters">, K>;

/** What goes into a call: the parts of the path, the query and the body. */
export interface Ask<O> {
  path?: Parameters<O, "path">;
  query?: Parameters<O, "query">;
  body?: Json<Member<O, "requestBody">>;
  /** The key under which a request is created once, however often it is sent. */
  idempotencyKey?: string;
  /** The token of a conversation. */
  conversation?: string;
  /** The answer to a challenge, as in Service-Proof. */
  proof?: string;
  signal?: AbortSignal;
}

type Json<R> = R extends { content: { "application/json": infer B } } ? B : never;
type Given<O, S extends number> = O extends { responses: infer R } ? (S extends keyof R ? Json<R[S]> : never) : never;

/** The record that an operation answers with. */
export type AnswerOf<O> = Given<O, 200> | Given<O, 201>;

/** The record of which an operation answers with a list. */
export type RecordOf<O> = AnswerOf<O> extends { data: (infer T)[] } ? T : never;

/** The paths that answer with a list. */
export type ListPaths = { [P in PathsOf<"get">]: AnswerOf<OperationOf<"get", P>> extends { data: unknown[]; page: unknown } ? P : never }[PathsOf<"get">];

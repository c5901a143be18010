import { sleep } from "./client.ts";
import { Cut, NotUnderstood } from "./problem.ts";

/** A line of a stream, with the members that tell its place. */
export interface Line {
  type?: string;
  cursor?: string;
  [member: string]: unknown;
}

/** The place of a line in its stream. */
export interface Place {
  cursor?: string | undefined; // the position after the line
  closes?: boolean; // it is the last line of its answer
  ends?: boolean; // it is the last line of the stream
  hidden?: boolean; // it is not passed to the caller
}

/**
 * Yields the lines of a stream, which may take several answers. After a cut it asks again from the last line that
 * arrived whole. If headed is true, the headers of an answer tell whether it is whole; otherwise its last line does.
 */
export async function* walkLines<T>(
  limits: { attempts: number; pause: number },
  from: string,
  ask: (cursor: string) => Promise<Response>,
  placeOf: (line: Line) => Place,
  headed: boolean,
): AsyncGenerator<T, void> {
  let cursor = from;
  for (let fruitless = 0; ; ) {
    const before = cursor;
    const response = await ask(cursor);
    let count = 0;
    let closed = false;
    const lines = wholeLines(response);
    for await (const text of lines) {
      const line = parse(text);
      const place = placeOf(line);
      cursor = place.cursor || cursor;
      if (!place.hidden) yield line as T;
      if (place.ends) return;
      closed = place.closes ?? false;
      count++;
    }
    if (headed && String(count) === response.headers.get("record-count")) {
      const next = response.headers.get("next-cursor");
      if (next === null) return;
      cursor = next;
      closed = true;
    }
    fruitless = cursor === before ? fruitless + 1 : 0;
    if (fruitless >= limits.attempts) throw new Cut("the stream was cut again and again");
    if (!closed) await sleep(limits.pause * 2 ** Math.min(fruitless, 7));
  }
}

/** Yields the lines of an answer that arrived whole. If the answer is cut, it ends without an error. */
async function* wholeLines(response: Response): AsyncGenerator<string, void> {
  const reader = response.body?.pipeThrough(new TextDecoderStream("utf-8", { fatal: true })).getReader();
  if (!reader) return;
  let rest = "";
  try {
    for (;;) {
      const read = await reader.read().catch(() => ({ done: true, value: undefined }));
      if (read.done || read.value === undefined) return;
      const lines = (rest + read.value).split("\n");
      rest = lines.pop() ?? "";
      yield* lines;
    }
  } finally {
    await reader.cancel().catch(() => {}); // a stream that was cut rejects
  }
}

function parse(text: string): Line {
  try {
    return JSON.parse(text) as Line;
  } catch {
    throw new NotUnderstood(`a line that is no JSON: ${text.slice(0, 80)}`);
  }
}

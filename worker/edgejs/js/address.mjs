// split returns the path and query of an absolute URL, as sent.
export function split(url) {
  const start = url.indexOf("/", 8), mark = url.indexOf("?", start);
  return mark < 0 ? [url.slice(start), ""] : [url.slice(start, mark), url.slice(mark + 1)];
}

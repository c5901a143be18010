// Copies the publisher's file, which lies beside this one, to its well-known
// address, and writes its statements into the head of every page.
import { readFileSync } from "node:fs";

const head = readFileSync(new URL("head.html", import.meta.url), "utf8");

export default function (config) {
	config.addPassthroughCopy({ "colophon-publisher.json": ".well-known/colophon-publisher.json" });
	config.addTransform("colophon-publisher", function (content) {
		return (this.page.outputPath || "").endsWith(".html") ? content.replace("</head>", () => head + "</head>") : content;
	});
}

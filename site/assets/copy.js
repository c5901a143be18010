// Makes a page's copy buttons work, and shows links as QR codes.
for (const button of document.querySelectorAll("button[data-copy]")) {
	const label = button.firstChild, words = label.data;
	button.hidden = !navigator.clipboard;
	button.addEventListener("click", async () => {
		try {
			await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
			label.data = "Copied";
		} catch {
			getSelection().selectAllChildren(document.getElementById(button.dataset.copy));
			label.data = "Selected: copy it yourself";
		}
		setTimeout(() => { label.data = words; }, 2500);
	});
}

for (const button of document.querySelectorAll("button[data-qr]")) {
	button.classList.remove("waits"); // its space was reserved, so nothing moves
	button.addEventListener("click", () => {
		const code = draw(encode(document.getElementById(button.dataset.qr).textContent));
		button.closest("p").after(code);
		button.remove();
		code.setAttribute("tabindex", "-1"); // takes the focus that the button had
		code.focus();
	}, { once: true });
}

// The rest makes QR codes (ISO/IEC 18004): byte mode, error correction level M,
// versions 1 to 15. corrections returns a version's correction codewords in a
// block, and its blocks.
function corrections(version) {
	return [[10, 1], [16, 1], [26, 1], [18, 2], [24, 2], [16, 4], [18, 4], [22, 4], [22, 5], [26, 5], [30, 5], [22, 8], [22, 9], [24, 9], [24, 10]][version - 1];
}

// alignments returns the coordinates of the alignment patterns' centres, which
// apply in both directions.
function alignments(version) {
	if (version < 2) return [];
	const n = Math.floor(version / 7) + 2, last = version * 4 + 10, step = Math.ceil((last - 6) / (n - 1) / 2) * 2;
	return [6, ...Array.from({ length: n - 1 }, (_, i) => last - step * (n - 2 - i))];
}

// capacity returns the number of codewords of a version.
function capacity(version) {
	const n = alignments(version).length;
	const squares = n ? (n * n - 3) * 25 - (n - 2) * 10 : 0;
	return Math.floor(((version * 4 + 17) ** 2 - 192 - 2 * (version * 4 + 1) - squares - 31 - (version > 6 ? 36 : 0)) / 8);
}

// times multiplies in GF(256) with the polynomial 0x11d.
function times(a, b) {
	let product = 0;
	for (; b; b >>= 1, a = a << 1 ^ (a > 127 ? 0x11d : 0)) if (b & 1) product ^= a;
	return product;
}

function remainder(data, degree) {
	let divisor = [1];
	for (let i = 0, root = 1; i < degree; i++, root = times(root, 2)) {
		divisor = [...divisor, 0].map((c, j) => c ^ (j ? times(divisor[j - 1], root) : 0));
	}
	const rest = [...data, ...Array(degree).fill(0)];
	for (let i = 0; i < data.length; i++) {
		const lead = rest[i];
		divisor.forEach((c, j) => { rest[i + j] ^= times(c, lead); });
	}
	return rest.slice(data.length);
}

// codewords returns the codewords of a text and their error correction, in the
// order in which they are placed.
function codewords(bytes, version) {
	const [degree, count] = corrections(version), total = capacity(version), room = total - degree * count;
	const bits = [];
	const add = (value, size) => { for (let i = size - 1; i >= 0; i--) bits.push(value >> i & 1); };
	add(4, 4);
	add(bytes.length, version > 9 ? 16 : 8);
	for (const b of bytes) add(b, 8);
	add(0, Math.min(4, room * 8 - bits.length));
	while (bits.length % 8) bits.push(0);
	const data = [];
	for (let i = 0; i < bits.length; i += 8) data.push(parseInt(bits.slice(i, i + 8).join(""), 2));
	for (let pad = 0xec; data.length < room; pad ^= 0xec ^ 0x11) data.push(pad);

	const blocks = [], size = Math.floor(room / count), short = count - room % count;
	for (let i = 0, at = 0; i < count; i++) {
		const end = at + size + (i < short ? 0 : 1);
		blocks.push(data.slice(at, end));
		at = end;
	}
	const out = [];
	for (let i = 0; i <= size; i++) for (const b of blocks) if (i < b.length) out.push(b[i]);
	const extra = blocks.map((b) => remainder(b, degree));
	for (let i = 0; i < degree; i++) for (const e of extra) out.push(e[i]);
	return out;
}

// checked appends to a number the remainder of its division by a polynomial.
function checked(value, polynomial, size) {
	let rest = value << size;
	for (let i = 31 - Math.clz32(rest); i >= size; i--) if (rest >> i & 1) rest ^= polynomial << (i - size);
	return value << size | rest;
}

const masks = [
	(x, y) => (x + y) % 2, (x, y) => y % 2, (x) => x % 3, (x, y) => (x + y) % 3, (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2,
	(x, y) => x * y % 2 + x * y % 3, (x, y) => (x * y % 2 + x * y % 3) % 2, (x, y) => ((x + y) % 2 + x * y % 3) % 2,
];

// encode returns rows of booleans: true is dark.
function encode(text) {
	const bytes = new TextEncoder().encode(text);
	let version = 1;
	while (version < 15 && capacity(version) - corrections(version)[0] * corrections(version)[1] < bytes.length + (version > 9 ? 3 : 2)) version++;
	const size = version * 4 + 17, grid = () => Array.from({ length: size }, () => Array(size).fill(false));
	const dark = grid(), fixed = grid();
	const set = (x, y, on) => {
		if (x < 0 || y < 0 || x >= size || y >= size) return;
		dark[y][x] = !!on;
		fixed[y][x] = true;
	};

	for (let i = 0; i < size; i++) {
		set(6, i, i % 2 === 0);
		set(i, 6, i % 2 === 0);
	}
	for (const [cx, cy] of [[3, 3], [size - 4, 3], [3, size - 4]]) {
		for (let y = -4; y <= 4; y++) for (let x = -4; x <= 4; x++) {
			const ring = Math.max(Math.abs(x), Math.abs(y));
			set(cx + x, cy + y, ring !== 2 && ring !== 4);
		}
	}
	const centres = alignments(version), last = centres.length - 1;
	centres.forEach((cy, i) => centres.forEach((cx, j) => {
		if (i === 0 && j === 0 || i === 0 && j === last || i === last && j === 0) return;
		for (let y = -2; y <= 2; y++) for (let x = -2; x <= 2; x++) set(cx + x, cy + y, Math.max(Math.abs(x), Math.abs(y)) !== 1);
	}));
	if (version > 6) {
		const bits = checked(version, 0x1f25, 12);
		for (let i = 0; i < 18; i++) {
			const a = size - 11 + i % 3, b = Math.floor(i / 3);
			set(a, b, bits >> i & 1);
			set(b, a, bits >> i & 1);
		}
	}
	const format = (mask) => {
		const bits = checked(mask, 0x537, 10) ^ 0x5412; // level M is 00
		const bit = (i) => bits >> i & 1;
		for (let i = 0; i < 6; i++) set(8, i, bit(i));
		set(8, 7, bit(6));
		set(8, 8, bit(7));
		set(7, 8, bit(8));
		for (let i = 9; i < 15; i++) set(14 - i, 8, bit(i));
		for (let i = 0; i < 8; i++) set(size - 1 - i, 8, bit(i));
		for (let i = 8; i < 15; i++) set(8, size - 15 + i, bit(i));
		set(8, size - 8, true);
	};
	format(0);

	const words = codewords(bytes, version);
	let i = 0;
	for (let right = size - 1; right > 0; right -= 2) {
		if (right === 6) right = 5;
		for (let n = 0; n < size; n++) for (let side = 0; side < 2; side++) {
			const x = right - side, up = (right + 1 & 2) === 0, y = up ? size - 1 - n : n;
			if (fixed[y][x]) continue;
			dark[y][x] = i < words.length * 8 && (words[i >> 3] >> (7 - i % 8) & 1) === 1;
			i++;
		}
	}

	let best, least = Infinity;
	masks.forEach((mask, m) => {
		format(m);
		const rows = dark.map((row, y) => row.map((on, x) => fixed[y][x] ? on : on !== (mask(x, y) === 0)));
		const cost = penalty(rows);
		if (cost < least) [best, least] = [rows, cost];
	});
	return best;
}

// penalty is high where a reader may fail: long runs, blocks, an uneven share
// of dark.
function penalty(rows) {
	const size = rows.length;
	let cost = 0, on = 0;
	for (const line of [...rows, ...rows.map((_, x) => rows.map((row) => row[x]))]) {
		let run = 0;
		line.forEach((v, i) => {
			run = i && v === line[i - 1] ? run + 1 : 1;
			cost += run === 5 ? 3 : run > 5 ? 1 : 0;
		});
	}
	for (let y = 0; y < size; y++) for (let x = 0; x < size; x++) {
		on += rows[y][x];
		if (x && y && rows[y][x] === rows[y - 1][x] && rows[y][x] === rows[y][x - 1] && rows[y][x] === rows[y - 1][x - 1]) cost += 3;
	}
	return cost + 10 * Math.floor(Math.abs(on * 20 - size * size * 10) / (size * size));
}

// draw returns an image with the quiet zone that readers require.
function draw(rows) {
	const svg = (name, attributes) => {
		const e = document.createElementNS("http://www.w3.org/2000/svg", name);
		for (const key in attributes) e.setAttribute(key, attributes[key]);
		return e;
	};
	const size = rows.length + 8;
	const path = rows.flatMap((row, y) => row.map((on, x) => on ? `M${x + 4} ${y + 4}h1v1h-1z` : "")).join("");
	const image = svg("svg", { viewBox: `0 0 ${size} ${size}`, width: 4 * size, height: 4 * size, role: "img", "aria-label": "The link as a QR code", "shape-rendering": "crispEdges" });
	image.append(svg("rect", { width: size, height: size, fill: "#fff" }), svg("path", { d: path, fill: "#000" }));
	return image;
}

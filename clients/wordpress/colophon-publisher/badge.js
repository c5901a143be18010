// Shows the badge's block in the editor. The page itself is rendered by PHP.
(function (blocks, element) {
	blocks.registerBlockType("colophon/badge", {
		edit: function () {
			return element.createElement("p", null, "Colophon badge");
		},
		save: function () {
			return null;
		},
	});
})(window.wp.blocks, window.wp.element);

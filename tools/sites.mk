# What publishers install on their own sites: the WordPress plugin, and snippets
# for Hugo, Eleventy and nginx. Included by the Makefile.

SITES_PROGRAMS = php:php-cli /usr/share/php8.2-mysql:php-mysql mariadbd:mariadb-server /usr/share/wordpress/wp-settings.php:wordpress \
	/usr/share/wordpress/wp-content/themes/twentytwentythree:wordpress-theme-twentytwentythree hugo:hugo nginx:nginx-light

.PHONY: test-sites

tools/sites/node_modules: tools/sites/package-lock.json
	cd tools/sites && npm ci --no-audit --no-fund --silent
	@touch $@

test-sites: tools/sites/node_modules ## install the WordPress plugin into Debian's WordPress, build sites with the snippets, and bring them into a registry
	@tools/install.sh $(SITES_PROGRAMS)
	COLOPHON_SITES=1 go test ./cmd/colophon -count=1 -timeout 20m -run '^(TestWordPress|TestSites)$$'

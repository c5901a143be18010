//go:build unix

package main

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/xml"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"colophon/internal/assert"
)

// wordpress is Debian's WordPress at https://site.example/, with a MariaDB, and
// PHP's own server behind the world's HTTPS.
type wordpress struct {
	*webWorld
	client *http.Client
	folder string // its files
	socket string // of the database
	log    string // PHP's log
}

// startWordPress installs and starts a WordPress whose permalinks have paths.
func startWordPress(t *testing.T, w *webWorld) *wordpress {
	t.Helper()
	s := &wordpress{webWorld: w, folder: filepath.Join(t.TempDir(), "site"), socket: filepath.Join(t.TempDir(), "s.sock"), log: filepath.Join(t.TempDir(), "php.log")}
	mustRun(t, "cp", "-rL", "/usr/share/wordpress", s.folder) // with the files that Debian links to
	data := t.TempDir()
	mustRun(t, "mariadb-install-db", "--no-defaults", "--user=root", "--datadir="+data, "--auth-root-authentication-method=normal", "--skip-test-db")
	startBeside(t, exec.Command("mariadbd", "--no-defaults", "--user=root", "--datadir="+data, "--socket="+s.socket, "--skip-networking"))
	waitUntil(t, "the database", func() bool {
		return exec.Command("mariadb", "--no-defaults", "--user=root", "--socket="+s.socket, "-e", "CREATE DATABASE IF NOT EXISTS site").Run() == nil
	})

	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	address := l.Addr().String()
	l.Close()
	s.write("wp-config.php", `<?php
define('DB_NAME', 'site'); define('DB_USER', 'root'); define('DB_PASSWORD', ''); define('DB_HOST', 'localhost:`+s.socket+`'); define('DB_CHARSET', 'utf8mb4');
define('WP_HOME', 'https://site.example'); define('WP_SITEURL', 'https://site.example'); define('DISABLE_WP_CRON', true);
define('AUTOMATIC_UPDATER_DISABLED', true); define('WP_DEBUG', true); define('WP_DEBUG_DISPLAY', false); define('WP_DEBUG_LOG', '`+s.log+`');
foreach (['AUTH_KEY', 'SECURE_AUTH_KEY', 'LOGGED_IN_KEY', 'NONCE_KEY', 'AUTH_SALT', 'SECURE_AUTH_SALT', 'LOGGED_IN_SALT', 'NONCE_SALT'] as $k) define($k, $k . ' of the test');
$_SERVER['HTTPS'] = 'on'; $_SERVER['HTTP_HOST'] ??= 'site.example'; $_SERVER['SERVER_NAME'] = 'site.example'; $table_prefix = 'wp_';
if (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
`)
	// The rule that WordPress writes for Apache: what is not a file goes to
	// index.php.
	s.write("router.php", `<?php
$path = __DIR__ . parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if (is_file($path) || is_file(rtrim($path, '/') . '/index.php') && $path !== __DIR__ . '/') return false;
$_SERVER['SCRIPT_NAME'] = '/index.php'; $_SERVER['PHP_SELF'] = '/index.php';
require __DIR__ . '/index.php';
`)
	// The site reaches itself without the world's certificate, and nothing
	// outside.
	s.write("wp-content/mu-plugins/loopback.php", `<?php
add_filter('pre_http_request', function ($answer, $args, $url) {
	if (str_starts_with($url, 'http://127.0.0.1:')) return $answer;
	if (!str_starts_with($url, 'https://site.example/')) return new WP_Error('outside', $url);
	$args['headers']['Host'] = 'site.example';
	return wp_remote_get(str_replace('https://site.example', 'http://`+address+`', $url), $args);
}, 10, 3);
`)
	s.php(`define('WP_INSTALLING', true); require 'wp-load.php'; require ABSPATH . 'wp-admin/includes/upgrade.php';
wp_install('Site of Example', 'editor', 'editor@site.example', true, '', 'password');
update_option('permalink_structure', '/%postname%/'); flush_rewrite_rules();
wp_insert_post(['post_title' => 'Tides & moons', 'post_content' => '<p>` + strings.Repeat("The tide follows the moon around the harbour. ", 20) + `</p>', 'post_status' => 'publish', 'post_author' => 1, 'post_date' => '2026-01-02 00:00:00']);
wp_insert_post(['post_title' => 'For members', 'post_content' => 'secret', 'post_status' => 'publish', 'post_password' => 'x', 'post_author' => 1, 'post_date' => '2026-01-03 00:00:00']);
wp_insert_post(['post_title' => 'Unfinished', 'post_content' => 'draft', 'post_status' => 'draft', 'post_author' => 1]);`)

	server := exec.Command("php", "-S", address, "-t", s.folder, filepath.Join(s.folder, "router.php"))
	server.Env = append(os.Environ(), "PHP_CLI_SERVER_WORKERS=4")
	startBeside(t, server)
	w.put("site.example/*", "^ "+address)

	jar, err := cookiejar.New(nil)
	must(t, err)
	roots := x509.NewCertPool()
	root, err := os.ReadFile(os.Getenv("SSL_CERT_FILE"))
	if err != nil || !roots.AppendCertsFromPEM(root) {
		t.Fatal("the root of the world cannot be read")
	}
	s.client = &http.Client{Jar: jar, Transport: &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: roots},
		DialContext:     dialing(w.address),
	}}
	waitUntil(t, "the site", func() bool {
		res, err := s.client.Get("https://site.example/")
		if err != nil {
			return false
		}
		res.Body.Close()
		return res.StatusCode == 200
	})
	return s
}

func (s *wordpress) write(name, text string) {
	s.t.Helper()
	path := filepath.Join(s.folder, name)
	must(s.t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(s.t, os.WriteFile(path, []byte(text), 0o644))
}

// php runs a script in the site's folder.
func (s *wordpress) php(script string) string {
	s.t.Helper()
	cmd := exec.Command("php", "-d", "error_reporting=E_ALL", "-r", script)
	cmd.Dir = s.folder
	out, err := cmd.CombinedOutput()
	if err != nil {
		s.t.Fatalf("%v\n%s\n%s", err, script, out)
	}
	return string(out)
}

// get fetches an address of the site.
func (s *wordpress) get(path string) (status int, head http.Header, body string) {
	s.t.Helper()
	return s.answer(s.client.Get("https://site.example" + path))
}

func (s *wordpress) post(path string, form url.Values) (status int, body string) {
	s.t.Helper()
	status, _, body = s.answer(s.client.PostForm("https://site.example"+path, form))
	return status, body
}

func (s *wordpress) answer(res *http.Response, err error) (int, http.Header, string) {
	s.t.Helper()
	must(s.t, err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	must(s.t, err)
	return res.StatusCode, res.Header, string(body)
}

// options returns the database's options, except those that WordPress itself
// changes when it is visited.
func (s *wordpress) options() string {
	s.t.Helper()
	out, err := exec.Command("mariadb", "--no-defaults", "--user=root", "--socket="+s.socket, "-N", "site", "-e",
		"SELECT option_name, option_value, autoload FROM wp_options WHERE option_name NOT LIKE '%transient%' AND option_name NOT LIKE 'theme_mods%' AND option_name <> 'cron' ORDER BY option_name").Output()
	must(s.t, err)
	return string(out)
}

// files returns the site's files with their digests.
func (s *wordpress) files() string {
	s.t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(s.folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		fmt.Fprintf(&b, "%x %s\n", sha256.Sum256(data), path)
		return err
	})
	must(s.t, err)
	return b.String()
}

// feedItems returns the links of the site's own feed.
func (s *wordpress) feedItems() []string {
	s.t.Helper()
	_, head, body := s.get("/feed/")
	var feed struct {
		Items []struct {
			Link string `xml:"link"`
		} `xml:"channel>item"`
	}
	if err := xml.Unmarshal([]byte(body), &feed); err != nil || !strings.HasPrefix(head.Get("Content-Type"), "application/rss+xml") {
		s.t.Fatalf("the feed is broken: %v\n%s\n%s", err, head.Get("Content-Type"), body)
	}
	var links []string
	for _, item := range feed.Items {
		links = append(links, item.Link)
	}
	return links
}

var nonceField = regexp.MustCompile(`name="_wpnonce" value="([0-9a-f]+)"`)

// save saves the plugin's settings through the form, as an administrator does,
// and checks what the page says then.
func (s *wordpress) save(settings url.Values, said string) {
	s.t.Helper()
	_, _, page := s.get("/wp-admin/options-general.php?page=colophon_publisher")
	nonce := nonceField.FindStringSubmatch(page)
	if nonce == nil {
		s.t.Fatalf("the settings page has no form:\n%s", page)
	}
	form := url.Values{"option_page": {"colophon_publisher"}, "action": {"update"}, "_wpnonce": {nonce[1]}, "_wp_http_referer": {"/wp-admin/options-general.php?page=colophon_publisher"}}
	for name, values := range settings {
		form["colophon_publisher"+name] = values
	}
	if status, body := s.post("/wp-admin/options.php", form); status != 200 || !strings.Contains(body, said) {
		s.t.Fatalf("after saving, the page does not say %q: %d\n%s", said, status, body)
	}
}

// TestWordPress installs the plugin into Debian's WordPress as an administrator
// does, adds the site to a registry, and removes the plugin again. Run it with
// "make test-sites".
func TestWordPress(t *testing.T) {
	t.Parallel()
	if os.Getenv("COLOPHON_SITES") == "" {
		t.Skip("needs COLOPHON_SITES: make test-sites")
	}
	w := newWebWorld(t)
	s := startWordPress(t, w)
	mustRun(t, "cp", "-r", "../../clients/wordpress/colophon-publisher", filepath.Join(s.folder, "wp-content/plugins/"))
	_, _, robots := s.get("/robots.txt")
	feed, options, files := s.feedItems(), s.options(), s.files()

	const plugin = "colophon-publisher/colophon-publisher.php"
	s.php(`require 'wp-load.php'; require ABSPATH . 'wp-admin/includes/plugin.php'; $e = activate_plugin('` + plugin + `'); if ($e) { print_r($e); exit(1); }`)
	if status, _, _ := s.get("/.well-known/colophon-publisher.json"); status != 404 {
		t.Errorf("before settings are saved the file answers %d", status)
	}
	if _, head, body := s.get("/"); head.Get("tdm-reservation") != "" || strings.Contains(body, "colophon-publisher") {
		t.Error("before settings are saved something is stated")
	}

	if _, _, page := s.get("/wp-admin/options-general.php?page=colophon_publisher"); !strings.Contains(page, `id="loginform"`) {
		t.Error("the settings page is open to everybody")
	}
	s.post("/wp-login.php", url.Values{"log": {"editor"}, "pwd": {"password"}})
	settings := url.Values{
		"[name]": {"Site \"Example\" & sons"}, "[summary]": {"Reporting on ports."}, "[language]": {"en"}, "[inquiries]": {"https://site.example/licensing"},
		"[preferences][training]": {"disallow"}, "[preferences][rag]": {"ask"}, "[preferences][search_indexing]": {"allow"}, "[preferences][nonsense]": {"allow"},
		"[retentions][rag]": {"P30D"}, "[retentions][research]": {" P3651D"}, "[retentions][nonsense]": {"none"},
	}
	s.save(settings, "Research: how long copies may be kept was not understood")

	status, head, body := s.get("/.well-known/colophon-publisher.json")
	if status != 200 || head.Get("Content-Type") != "application/json" || !strings.Contains(body, `"colophon_publisher": "1"`) || strings.Contains(body, "nonsense") {
		t.Fatalf("the file: %d %s\n%s", status, head.Get("Content-Type"), body)
	}
	for _, stated := range []string{
		`{"use": "rag", "retention": "P30D", "declared": "disallow", "inquiry": "welcome"}`, `{"use": "research", "retention": "none"}`, `{"use": "search_indexing", "declared": "allow"}`,
	} {
		if !strings.Contains(strings.Join(strings.Fields(body), " "), strings.NewReplacer("{", "{ ", "}", " }").Replace(stated)) {
			t.Errorf("the file lacks %s:\n%s", stated, body)
		}
	}
	if _, _, page := s.get("/wp-admin/options-general.php?page=colophon_publisher"); !strings.Contains(page, `name="colophon_publisher[retentions][rag]" value="P30D"`) {
		t.Error("the form does not show the retention that was saved")
	}
	status, head, body = s.get("/tides-moons/")
	if status != 200 || !slices.Contains(head.Values("Link"), `<https://site.example/.well-known/colophon-publisher.json>; rel="colophon-publisher"`) ||
		head.Get("Content-Usage") != "train-ai=n, ai-use=n" || head.Get("tdm-reservation") != "1" {
		t.Errorf("the header fields of a page: %d %q", status, head)
	}
	for _, element := range []string{`<link rel="colophon-publisher" href="https://site.example/.well-known/colophon-publisher.json">`, `<meta name="tdm-reservation" content="1">`} {
		assert.Contains(t, "the head of a page lacks", body[:strings.Index(body, "</head>")], element)
	}
	if got := s.feedItems(); !slices.Equal(got, feed) {
		t.Errorf("the feed has now %q; it had %q", got, feed)
	}
	if _, head, got := s.get("/robots.txt"); got != robots || head.Get("Content-Usage") != "" {
		t.Errorf("robots.txt was\n%s\nand is\n%s\n%q", robots, got, head)
	}

	// The registry takes the file, and the pages of the site's feed.
	assert.Contains(t, "publisher add", w.must("publisher", "add", "https://site.example/"), `Site "Example" & sons`)
	w.must("publisher", "approve", "site-example")
	if out := w.must("import", "--site", "site-example", "--fail-over", "100%"); !strings.Contains(out, "tides-moons") && !strings.Contains(out, "new") {
		t.Errorf("import:\n%s", out)
	}
	w.must("build")
	for _, page := range []string{"tides-moons", "hello-world"} {
		assert.Contains(t, page+" is not registered", w.published("v1/public/sites/site-example/contentdna-provenance.json"), "https://site.example/"+page+"/")
	}
	for _, secret := range []string{"for-members", "unfinished"} {
		if _, _, list := s.get("/?colophon-publisher=pages"); strings.Contains(strings.ToLower(list), secret) {
			t.Errorf("the list of pages has %s", secret)
		}
	}

	// The badge, and the registry's check of the site.
	base := serveProcess(t, w.dir).base
	settings.Set("[registry]", base+"/")
	settings.Set("[site_id]", "site-example")
	settings.Set("[retentions][research]", "P3650D ")
	s.save(settings, "Settings saved.")
	post := strings.TrimSpace(s.php(`require 'wp-load.php'; echo wp_insert_post(['post_title' => 'Badge', 'post_content' => '<!-- wp:colophon/badge /-->', 'post_status' => 'publish', 'post_date' => '2020-01-01 00:00:00']);`))
	if _, _, body := s.get("/badge/"); !strings.Contains(body, `<a href="`+base+`/publishers/site-example/"><img `) || !strings.Contains(body, ` src="`+base+`/badge.svg"`) {
		t.Error("the block shows no badge")
	}
	_, _, page := s.get("/wp-admin/options-general.php?page=colophon_publisher")
	for _, line := range []string{
		"colophon-publisher.json answers with these settings.", "Training of models, declined", "Answers grounded in your pages, license_required", "Search, signal_allow",
	} {
		if !strings.Contains(page, line) {
			_, after, _ := strings.Cut(page, `id="colophon-check"`)
			t.Errorf("the check lacks %q:\n%s", line, after[:min(len(after), 2000)])
		}
	}

	// Without paths in permalinks, the file has another address, and pages link
	// to it.
	s.php(`require 'wp-load.php'; update_option('permalink_structure', '');`)
	if _, head, _ := s.get("/?p=1"); !slices.Contains(head.Values("Link"), `<https://site.example/?colophon-publisher=file>; rel="colophon-publisher"`) {
		t.Errorf("the Link fields are %q", head.Values("Link"))
	}
	if status, head, _ := s.get("/?colophon-publisher=file"); status != 200 || head.Get("Content-Type") != "application/json" {
		t.Errorf("the file at its other address: %d", status)
	}
	s.php(`require 'wp-load.php'; update_option('permalink_structure', '/%postname%/'); flush_rewrite_rules();`)

	s.php(`require 'wp-load.php'; wp_delete_post(` + post + `, true); require ABSPATH . 'wp-admin/includes/plugin.php'; deactivate_plugins('` + plugin + `');`)
	s.get("/") // WordPress rewrites its permalink rules
	if got := s.options(); got != options {
		before, after := strings.Split(options, "\n"), strings.Split(got, "\n")
		t.Errorf("the options have changed from\n%q to\n%q", linesBeside(before, after), linesBeside(after, before))
	}
	assert.Equal(t, s.files(), files, "files have changed")
	dump, err := exec.Command("mariadb-dump", "--no-defaults", "--user=root", "--socket="+s.socket, "--skip-comments", "site").Output()
	if err != nil || strings.Contains(strings.ToLower(string(dump)), "colophon") {
		t.Errorf("the database still speaks of the plugin: %v", err)
	}
	// Debian's WordPress logs complaints about itself with this PHP.
	if log, err := os.ReadFile(s.log); err != nil || strings.Contains(string(log), "colophon-publisher.php") {
		t.Errorf("PHP complains of the plugin: %v\n%s", err, log)
	}
	if status, head, _ := s.get("/.well-known/colophon-publisher.json"); status != 404 || head.Get("Content-Usage") != "" {
		t.Errorf("without the plugin the file answers %d", status)
	}
}

// dialing connects to one address, whatever the host.
func dialing(address string) func(context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, address)
	}
}

// linesBeside returns the lines of a that b does not have.
func linesBeside(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(line string) bool { return slices.Contains(b, line) })
}

func mustRun(t *testing.T, name string, args ...string) {
	t.Helper()
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}

// startBeside starts a program and ends it with the test.
func startBeside(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // PHP starts worker processes
	var log strings.Builder
	cmd.Stdout, cmd.Stderr = &log, &log
	must(t, cmd.Start())
	t.Cleanup(func() {
		syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) //nolint:errcheck // it may have ended
		cmd.Wait()                                      //nolint:errcheck // its log says more
		if t.Failed() {
			t.Logf("%s:\n%s", cmd.Path, log.String()[max(0, log.Len()-4000):])
		}
	})
}

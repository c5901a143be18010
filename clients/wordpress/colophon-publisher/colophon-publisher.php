<?php
/**
 * Plugin Name: Colophon Publisher
 * Description: States how your site may be used by AI, in the publisher's file, headers and pages, for registries of publishers. It grants no rights.
 * Version: 0.1.0
 * Requires at least: 6.1
 * Requires PHP: 8.0
 * License: GPL-2.0-or-later
 * License URI: https://www.gnu.org/licenses/gpl-2.0.html
 * Text Domain: colophon-publisher
 *
 * This program is free software; you can redistribute it and/or modify it under
 * the terms of the GNU General Public License as published by the Free Software
 * Foundation; either version 2 of the License, or (at your option) any later
 * version. It comes without any warranty.
 *
 * Everything that it keeps is one option. It writes no files, adds no rewrite
 * rules, leaves robots.txt alone and sends nothing but headers with a feed.
 */

declare(strict_types=1);

namespace Colophon\Publisher;

defined( 'ABSPATH' ) || exit;

const OPTION     = 'colophon_publisher';
const WELL_KNOWN = '/.well-known/colophon-publisher.json';
const QUERY      = 'colophon-publisher'; // ?colophon-publisher=file, =pages
const FEED_PAGES = 1000;
const USES       = array(
	'rag'             => 'Answers grounded in your pages',
	'training'        => 'Training of models',
	'fine_tuning'     => 'Fine-tuning of models',
	'search_indexing' => 'Search',
	'summarization'   => 'Summaries',
	'datasets'        => 'Data sets',
	'syndication'     => 'Syndication',
	'research'        => 'Research',
);

/** The settings, each of its type. */
function settings(): array {
	$stored = get_option( OPTION, array() );
	$known  = array(
		'name'        => '',
		'legal_name'  => '',
		'summary'     => '',
		'language'    => '',
		'inquiries'   => '',
		'registry'    => '',
		'site_id'     => '',
		'preferences' => array(),
		'retentions'  => array(),
	);
	return array_intersect_key( array_merge( $known, is_array( $stored ) ? $stored : array() ), $known );
}

/** Whether the settings were saved: before that nothing is stated. */
function is_stated(): bool {
	return '' !== settings()['name'];
}

/** The settings as they may be kept. */
function sanitize( $given ): array {
	$given = is_array( $given ) ? $given : array();
	$text  = static fn( string $key, int $length ): string => mb_substr( sanitize_text_field( (string) ( $given[ $key ] ?? '' ) ), 0, $length );
	$page  = esc_url_raw( $text( 'inquiries', 2000 ), array( 'http', 'https' ) );
	$clean = array(
		'name'        => $text( 'name', 120 ),
		'legal_name'  => $text( 'legal_name', 120 ),
		'summary'     => $text( 'summary', 400 ),
		'language'    => preg_match( '/^[a-z]{2,3}$/', $text( 'language', 3 ) ) ? $text( 'language', 3 ) : '',
		'inquiries'   => $page,
		'registry'    => untrailingslashit( esc_url_raw( $text( 'registry', 200 ), array( 'http', 'https' ) ) ),
		'site_id'     => preg_match( '/^[a-z0-9-]{1,64}$/', $text( 'site_id', 64 ) ) ? $text( 'site_id', 64 ) : '',
		'preferences' => array(),
		'retentions'  => array(),
	);
	foreach ( USES as $use => $label ) {
		$word = $given['preferences'][ $use ] ?? '';
		if ( in_array( $word, array( 'allow', 'ask', 'disallow' ), true ) ) {
			$clean['preferences'][ $use ] = $word;
		}
		$kept = $given['retentions'][ $use ] ?? '';
		if ( ! is_string( $kept ) || '' === trim( $kept ) ) {
			continue;
		}
		if ( ! preg_match( '/^(none|while_licensed|P([1-9]\d{0,2}|[12]\d{3}|3[0-5]\d\d|36[0-4]\d|3650)D)$/D', trim( $kept ) ) ) {
			$kept = 'none';
			/* translators: %s: a use, such as Research. */
			add_settings_error( OPTION, 'retention-' . $use, sprintf( __( '%s: how long copies may be kept was not understood, so none may. Enter none, while_licensed, or days from P1D to P3650D.', 'colophon-publisher' ), $label ) );
		}
		$clean['retentions'][ $use ] = trim( $kept );
	}
	if ( '' === $clean['name'] ) {
		add_settings_error( OPTION, 'name', __( 'Nothing is stated without a name.', 'colophon-publisher' ) );
	}
	return $clean;
}

/** Whether the file stands at its well-known address: WordPress answers all paths of the host. */
function has_well_known(): bool {
	return '' !== (string) get_option( 'permalink_structure' ) && '' === trim( (string) wp_parse_url( home_url(), PHP_URL_PATH ), '/' );
}

/** The address of the publisher's file. */
function file_address(): string {
	return has_well_known() ? home_url( WELL_KNOWN ) : home_url( '/?' . QUERY . '=file' );
}

/** The publisher's file. */
function publisher_file(): array {
	$set  = settings();
	$file = array(
		'colophon_publisher' => '1',
		'name'               => $set['name'],
		'legal_name'         => $set['legal_name'],
		'summary'            => $set['summary'],
		'languages'          => array_filter( array( $set['language'] ) ),
		'preferences'        => array(),
		'feeds'              => array( home_url( '/?' . QUERY . '=pages' ) ),
		'inquiries'          => array_filter( array( 'page' => $set['inquiries'] ) ),
	);
	foreach ( array_keys( $set['preferences'] + $set['retentions'] ) as $use ) {
		$word       = $set['preferences'][ $use ] ?? '';
		$preference = array_filter(
			array(
				'use'       => $use,
				'retention' => $set['retentions'][ $use ] ?? '',
			)
		);
		if ( '' !== $word ) {
			$preference['declared'] = 'allow' === $word ? 'allow' : 'disallow';
		}
		if ( 'ask' === $word || 'disallow' === $word ) {
			$preference['inquiry'] = 'ask' === $word ? 'welcome' : 'not_offered';
		}
		$file['preferences'][] = $preference;
	}
	return array_filter( $file );
}

/** What pages and answers say beside the file: restrictions only, which no other statement loosens. */
function restrictions(): array {
	$words = array(
		'training'        => 'train-ai=n',
		'rag'             => 'ai-use=n',
		'search_indexing' => 'search=n',
	);
	$told  = array();
	foreach ( $words as $use => $word ) {
		if ( in_array( settings()['preferences'][ $use ] ?? '', array( 'ask', 'disallow' ), true ) ) {
			$told[ $use ] = $word;
		}
	}
	return $told;
}

/** Sends Link, Content-Usage and tdm-reservation with what WordPress answers, but for robots.txt. */
function send_fields( \WP $wp ): void {
	if ( ! is_stated() || headers_sent() || ! empty( $wp->query_vars['robots'] ) ) {
		return;
	}
	header( 'Link: <' . esc_url_raw( file_address() ) . '>; rel="colophon-publisher"', false );
	$told = restrictions();
	if ( $told ) {
		header( 'Content-Usage: ' . implode( ', ', $told ) );
	}
	if ( isset( $told['training'] ) ) {
		header( 'tdm-reservation: 1' );
	}
}
add_action( 'send_headers', __NAMESPACE__ . '\send_fields' );

/** Writes the elements of the head of pages. Feeds have none. */
function write_elements(): void {
	if ( ! is_stated() ) {
		return;
	}
	printf( "<link rel=\"colophon-publisher\" href=\"%s\">\n", esc_url( file_address() ) );
	if ( isset( restrictions()['training'] ) ) {
		echo "<meta name=\"tdm-reservation\" content=\"1\">\n";
	}
}
add_action( 'wp_head', __NAMESPACE__ . '\write_elements' );

/** Answers the addresses of the file and of the list of pages. */
function answer(): void {
	$address = (string) ( $_SERVER['REQUEST_URI'] ?? '' ); // phpcs:ignore -- compared, and printed nowhere
	$path    = (string) wp_parse_url( $address, PHP_URL_PATH );
	$asked   = $_GET[ QUERY ] ?? ''; // phpcs:ignore -- compared, and printed nowhere
	if ( ! is_stated() ) {
		return;
	}
	if ( has_well_known() && WELL_KNOWN === $path || 'file' === $asked ) {
		send( 'application/json', wp_json_encode( publisher_file(), JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE ) . "\n" );
	}
	if ( 'pages' === $asked ) {
		send( 'application/atom+xml; charset=UTF-8', pages_feed() );
	}
}
add_action( 'parse_request', __NAMESPACE__ . '\answer', 0 );

/** Answers with a text and ends. */
function send( string $type, string $text ): void {
	status_header( 200 );
	header( 'Content-Type: ' . $type );
	header( 'Cache-Control: public, max-age=300' );
	header( 'X-Content-Type-Options: nosniff' );
	header( 'Access-Control-Allow-Origin: *' );
	if ( 'HEAD' !== ( $_SERVER['REQUEST_METHOD'] ?? '' ) ) {
		echo $text; // phpcs:ignore -- JSON, or XML that is escaped where it is made
	}
	exit;
}

/** An Atom feed of the public posts and pages, newest change first, that a registry may register. */
function pages_feed(): string {
	$posts = get_posts(
		array(
			'post_type'        => array( 'post', 'page' ),
			'post_status'      => 'publish',
			'has_password'     => false,
			'numberposts'      => FEED_PAGES,
			'orderby'          => 'modified',
			'suppress_filters' => false,
		)
	);
	$text  = static fn( string $s ): string => htmlspecialchars( html_entity_decode( wp_strip_all_tags( $s ), ENT_QUOTES, 'UTF-8' ), ENT_XML1 | ENT_QUOTES | ENT_SUBSTITUTE, 'UTF-8' );
	$self  = home_url( '/?' . QUERY . '=pages' );
	$out   = '<?xml version="1.0" encoding="UTF-8"?>' . "\n<feed xmlns=\"http://www.w3.org/2005/Atom\">\n";
	$out  .= ' <id>' . $text( $self ) . "</id>\n <title>" . $text( settings()['name'] ) . "</title>\n";
	$out  .= ' <link rel="self" href="' . $text( $self ) . "\"/>\n <updated>" . instant( $posts ? $posts[0]->post_modified_gmt : '' ) . "</updated>\n";
	foreach ( $posts as $post ) {
		$out .= " <entry>\n  <id>" . $text( get_permalink( $post ) ) . "</id>\n  <title>" . $text( get_the_title( $post ) ) . "</title>\n";
		$out .= '  <link href="' . $text( get_permalink( $post ) ) . "\"/>\n";
		$out .= '  <published>' . instant( $post->post_date_gmt ) . "</published>\n  <updated>" . instant( $post->post_modified_gmt ) . "</updated>\n";
		$out .= '  <author><name>' . $text( get_the_author_meta( 'display_name', (int) $post->post_author ) ) . "</name></author>\n </entry>\n";
	}
	return $out . "</feed>\n";
}

/** An instant of RFC 3339 from a time of the database in UTC. */
function instant( string $time ): string {
	return gmdate( 'Y-m-d\TH:i:s\Z', (int) strtotime( $time . ' UTC' ) );
}

/** The badge: an image of the registry that leads to the publisher's page there. */
function badge(): string {
	$set = settings();
	if ( '' === $set['registry'] || '' === $set['site_id'] ) {
		return '';
	}
	return sprintf(
		'<p class="colophon-badge"><a href="%s"><img src="%s" alt="%s" loading="lazy"></a></p>',
		esc_url( $set['registry'] . '/publishers/' . $set['site_id'] . '/' ),
		esc_url( $set['registry'] . '/badge.svg' ),
		esc_attr__( 'Look up the rights to this site', 'colophon-publisher' )
	);
}

/** Registers the block. Its script needs no build. */
function register_badge(): void {
	wp_register_script( 'colophon-badge', plugins_url( 'badge.js', __FILE__ ), array( 'wp-blocks', 'wp-element' ), '0.1.0', true );
	register_block_type(
		'colophon/badge',
		array(
			'api_version'     => 2,
			'title'           => __( 'Colophon badge', 'colophon-publisher' ),
			'category'        => 'widgets',
			'icon'            => 'shield',
			'editor_script'   => 'colophon-badge',
			'render_callback' => __NAMESPACE__ . '\badge',
		)
	);
}
add_action( 'init', __NAMESPACE__ . '\register_badge' );

add_action(
	'admin_init',
	static function (): void {
		register_setting(
			OPTION,
			OPTION,
			array(
				'type'              => 'array',
				'sanitize_callback' => __NAMESPACE__ . '\sanitize',
			)
		);
	}
);
add_action(
	'admin_menu',
	static function (): void {
		add_options_page( 'Colophon', 'Colophon', 'manage_options', OPTION, __NAMESPACE__ . '\settings_page' );
	}
);

/** What a check of the own site finds, one line each. It asks the site and the registry, on demand only. */
function check_site(): array {
	$lines    = array();
	$response = wp_remote_get( file_address(), array( 'timeout' => 10 ) );
	$expected = wp_json_encode( publisher_file() );
	$read     = is_wp_error( $response ) ? null : json_decode( wp_remote_retrieve_body( $response ), true );
	if ( is_wp_error( $response ) ) {
		$lines[] = sprintf( /* translators: 1: address, 2: error */ __( '%1$s cannot be fetched: %2$s', 'colophon-publisher' ), file_address(), $response->get_error_message() );
	} elseif ( 200 !== wp_remote_retrieve_response_code( $response ) || wp_json_encode( $read ) !== $expected ) {
		$lines[] = sprintf( /* translators: 1: address, 2: HTTP status */ __( '%1$s answers something else (status %2$d). A file in the folder of the site, a cache or the web server stands before WordPress.', 'colophon-publisher' ), file_address(), wp_remote_retrieve_response_code( $response ) );
	} else {
		$lines[] = sprintf( /* translators: %s: address */ __( '%s answers with these settings.', 'colophon-publisher' ), file_address() );
	}
	$registry = settings()['registry'];
	if ( '' === $registry ) {
		return $lines;
	}
	$newest   = get_posts( array( 'numberposts' => 1, 'has_password' => false ) ); // phpcs:ignore -- one line reads better
	$page     = $newest ? get_permalink( $newest[0] ) : home_url( '/' );
	$response = wp_remote_get( $registry . '/v1/public/rights/check?url=' . rawurlencode( $page ), array( 'timeout' => 10 ) );
	$answer   = is_wp_error( $response ) ? null : json_decode( wp_remote_retrieve_body( $response ), true );
	if ( ! is_array( $answer ) || 200 !== wp_remote_retrieve_response_code( $response ) ) {
		$lines[] = sprintf( /* translators: 1: registry, 2: error */ __( '%1$s does not answer: %2$s', 'colophon-publisher' ), $registry, is_wp_error( $response ) ? $response->get_error_message() : wp_remote_retrieve_response_code( $response ) );
		return $lines;
	}
	if ( empty( $answer['candidates'] ) ) {
		$lines[] = sprintf( /* translators: 1: page, 2: registry */ __( '%1$s is not registered at %2$s.', 'colophon-publisher' ), $page, $registry );
	}
	foreach ( $answer['candidates'] ?? array() as $candidate ) {
		foreach ( $candidate['uses'] ?? array() as $use ) {
			$lines[] = sprintf( '%s: %s, %s', $page, USES[ $use['use'] ] ?? $use['use'], $use['verdict'] );
		}
	}
	return $lines;
}

/** Prints the settings page. */
function settings_page(): void {
	$set = settings();
	if ( ! is_stated() ) {
		$set['name']     = get_bloginfo( 'name' );
		$set['summary']  = get_bloginfo( 'description' );
		$set['language'] = strtok( strtolower( get_bloginfo( 'language' ) ), '-' );
	}
	$field = static function ( string $key, string $label, string $help = '' ) use ( $set ): void {
		printf(
			'<tr><th scope="row"><label for="colophon-%1$s">%2$s</label></th><td><input class="regular-text" id="colophon-%1$s" name="%3$s[%1$s]" value="%4$s"><p class="description">%5$s</p></td></tr>',
			esc_attr( $key ),
			esc_html( $label ),
			esc_attr( OPTION ),
			esc_attr( $set[ $key ] ),
			esc_html( $help )
		);
	};
	echo '<div class="wrap"><h1>Colophon</h1><p>' . esc_html__( 'States how your site may be used. It grants no rights.', 'colophon-publisher' ) . '</p>';
	echo '<form method="post" action="options.php">';
	settings_fields( OPTION );
	echo '<table class="form-table" role="presentation">';
	$field( 'name', __( 'Name', 'colophon-publisher' ), __( 'Required. Nothing is stated before it is saved.', 'colophon-publisher' ) );
	$field( 'legal_name', __( 'Legal name', 'colophon-publisher' ) );
	$field( 'summary', __( 'Summary', 'colophon-publisher' ) );
	$field( 'language', __( 'Language', 'colophon-publisher' ), __( 'Two letters, such as en.', 'colophon-publisher' ) );
	$field( 'inquiries', __( 'Page for inquiries', 'colophon-publisher' ), __( 'Where people can ask for a licence.', 'colophon-publisher' ) );
	$field( 'registry', __( 'Registry', 'colophon-publisher' ), __( 'Its address, for the badge and the check below.', 'colophon-publisher' ) );
	$field( 'site_id', __( 'Site id', 'colophon-publisher' ), __( 'Your id there, for the badge.', 'colophon-publisher' ) );
	$words = array(
		''         => __( 'Not stated', 'colophon-publisher' ),
		'allow'    => __( 'Allowed', 'colophon-publisher' ),
		'ask'      => __( 'Ask first', 'colophon-publisher' ),
		'disallow' => __( 'Not allowed', 'colophon-publisher' ),
	);
	foreach ( USES as $use => $label ) {
		printf( '<tr><th scope="row"><label for="colophon-%1$s">%2$s</label></th><td><select id="colophon-%1$s" name="%3$s[preferences][%1$s]">', esc_attr( $use ), esc_html( $label ), esc_attr( OPTION ) );
		foreach ( $words as $word => $shown ) {
			printf( '<option value="%s"%s>%s</option>', esc_attr( $word ), selected( $set['preferences'][ $use ] ?? '', $word, false ), esc_html( $shown ) );
		}
		printf(
			'</select> <label>%s <input size="14" list="colophon-retentions" name="%s[retentions][%s]" value="%s" placeholder="%s"></label></td></tr>',
			esc_html__( 'Copies may be kept', 'colophon-publisher' ),
			esc_attr( OPTION ),
			esc_attr( $use ),
			esc_attr( $set['retentions'][ $use ] ?? '' ),
			esc_attr__( 'not stated', 'colophon-publisher' )
		);
	}
	echo '</table><datalist id="colophon-retentions">';
	printf( '<option value="none">%s</option>', esc_html__( 'no copy beyond the use at hand', 'colophon-publisher' ) );
	printf( '<option value="P30D">%s</option>', esc_html__( 'at most 30 days; any number from 1 to 3650', 'colophon-publisher' ) );
	printf( '<option value="while_licensed">%s</option></datalist>', esc_html__( 'as long as the right to the use lasts', 'colophon-publisher' ) );
	submit_button();
	echo '</form>';
	if ( is_stated() ) {
		echo '<h2>' . esc_html__( 'Check of this site', 'colophon-publisher' ) . '</h2><ul id="colophon-check">';
		foreach ( check_site() as $line ) {
			echo '<li>' . esc_html( $line ) . '</li>';
		}
		echo '</ul>';
	}
	echo '</div>';
}

// Deactivation leaves nothing behind.
register_deactivation_hook(
	__FILE__,
	static function (): void {
		delete_option( OPTION );
	}
);

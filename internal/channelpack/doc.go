// Package channelpack writes a publisher's policy into every channel that package
// channel reads: a pack of files to put on a site, and fragments to paste. No
// channel permits more than the publisher did, and what one could not express is
// listed as a loss. Single offers are written as ODRL, RSL and CoMP.
package channelpack

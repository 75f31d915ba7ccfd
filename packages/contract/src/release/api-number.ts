/**
 * Raised whenever a call, a setting, an offer or a function of the platform is added. A release states the number that it was built with, and a site
 * with a smaller one rejects it: shell and backend are released first. Older releases keep working.
 */
export const apiNumber = 2;

/** Hash of the calls, settings and offers that the number stands for; a test compares it. */
export const apiShape = 'cd50f35ac8501633';

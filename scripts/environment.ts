/** The environment of the person who called the command: other programs' variables, settings of the site, npm's. */
export const caller: Readonly<NodeJS.ProcessEnv> = { ...process.env };

/** The variables that this project's processes inherit. */
const inherited = [
  // The person and the machine.
  /^(?:PATH|HOME|TMPDIR|USER|LOGNAME|SHELL|TERM|COLORTERM|TZ|LANG|LANGUAGE|LC_[A-Z]+|XDG_\w+|CI|NO_COLOR|LD_LIBRARY_PATH)$/,
  // The way to other machines: a proxy, the certificates of a company.
  /^(?:https?|all)_proxy$/i,
  /^(?:NODE_USE_ENV_PROXY|NODE_EXTRA_CA_CERTS|NODE_USE_SYSTEM_CA|SSL_CERT_(?:FILE|DIR))$/,
  // Where npm, Docker and Playwright find what they need.
  /^npm_config_(?:userconfig|globalconfig|cache|registry)$/i,
  /^DOCKER_\w+$/,
  /^PLAYWRIGHT_BROWSERS_PATH$/,
  // What tests read.
  /^(?:BROWSER_PATH|TEST_DATABASE_URL|RUNS|SEED|ROUNDS|UPGRADE_FROM)$/,
];

const logLevel = /^(?:trace|debug|info|warn|error|fatal|silent)$/;

/** Servers of a site and their clients reach each other without a proxy. */
const thisMachine = ['localhost', '127.0.0.1', '::1'];

/**
 * Returns the environment of this project's processes: of the caller's variables only those that they need. Any other
 * may be meant for another program and change what ours do, such as `NODE_ENV` or `GIT_DIR`. `npm start` passes the settings
 * of a site to its servers (`site-settings.ts`).
 */
export function ownEnvironment(variables: Readonly<NodeJS.ProcessEnv>): NodeJS.ProcessEnv {
  const own = Object.fromEntries(
    Object.entries(variables).filter(([name]) => inherited.some((pattern) => pattern.test(name))),
  );
  const { LOG_LEVEL } = variables;
  if (LOG_LEVEL && logLevel.test(LOG_LEVEL)) own.LOG_LEVEL = LOG_LEVEL;
  const direct = [variables.no_proxy || variables.NO_PROXY || '', ...thisMachine].filter(Boolean).join();
  return { ...own, no_proxy: direct, NO_PROXY: direct };
}

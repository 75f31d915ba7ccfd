/** How long the countdown of /redirect is, in ms (product document, section 9). */
export const countdownDuration = 4000;

/** Wording of /redirect; the product document (section 2) gives “click here” and leaves the rest open. */
export const redirectCopy = {
  heading: 'Taking you to another website',
  lead: 'It opens in a new tab, or waits as a link on the next page if your browser holds the tab back. Daybook stays open in this one.',
  needsScript: 'Opening it needs JavaScript. Without it, please use the address of the website itself.',
  destination: 'You’re going to',
  progressLabel: 'Time until the website opens',
  opensIn: (seconds: number) => (seconds === 1 ? 'Opens in 1 second' : `Opens in ${seconds} seconds`),
  stopped: 'Stopped. Nothing opens until you say so.',
  stop: 'Stop',
  startAgain: 'Start again',
  dontWait: 'Don’t want to wait?',
  clickHere: 'click here',
  announceStart: (host: string) =>
    `${host} opens in a new tab in ${countdownDuration / 1000} seconds, unless you stop it.`,
  announceEnd: (host: string) => `Opening ${host}.`,
} as const;

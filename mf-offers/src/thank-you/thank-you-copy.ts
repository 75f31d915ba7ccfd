/** Wording of section 2 of the product document, and what the document leaves open. */
export const thankYouCopy = {
  heading: "You're Subscribed!",
  lead: 'Welcome to Daybook. Your first issue arrives tomorrow morning.',
  subscribedAs: 'We’ll send it to',
  detailsMissing:
    'We can’t see your registration details on this page. This is usually fine: if you signed up, your first issue is on its way.',
  returnHome: 'Return to Home',
  complete: 'Your registration is complete.',
} as const;

export const nextSteps = {
  heading: 'What happens next',
  steps: [
    {
      title: 'Check your inbox',
      text: 'Look for a message from Daybook. If it isn’t there, look in your spam folder and mark it as “not spam”.',
    },
    {
      title: 'Read your first issue',
      text: 'It arrives tomorrow morning with the markets, one idea for your savings, and the news that matters. It takes about five minutes.',
    },
  ],
} as const;

export const invitation = {
  label: 'Sponsored',
  heading: 'Your bonus offers are waiting',
  text: 'As a new reader you can pick from four offers by our sponsors, such as a free hearing test or $150 off home security.',
  action: 'See my bonus offers',
} as const;

export const blockedOffersCopy = {
  heading: 'Your browser held back these offers',
  text: 'Browsers usually let one click open one tab. Open the others here; each link opens in a new tab.',
  sponsoredBy: 'Sponsored by',
} as const;

export const blockedAddressCopy = {
  heading: 'Your browser held back this website',
  text: 'Browsers don’t always let a page open another by itself. Open it here; the link opens in a new tab.',
} as const;

export const financeTip = {
  label: 'A tip to start with',
  heading: 'Pay yourself first',
  text: 'Have a fixed amount moved to savings on the day your income arrives, before you spend any of it. Even $25 a week comes to $1,300 in a year.',
} as const;

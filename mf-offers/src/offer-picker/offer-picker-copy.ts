/** Wording of sections 2 and 5 of the product document, and what the document leaves open. */
export const loadingLabel = 'Loading your offers...';

export const needsScript =
  'Picking offers needs JavaScript. Without it you miss nothing else: if you have signed up, your first issue is on its way.';

export const pickerCopy = {
  heading: 'Your bonus offers',
  lead: 'Here are four offers for new readers: pick any that help you, or none.',
  legend: 'Which offers would you like?',
  disclosure: 'Sponsored',
  disclosureDetail: 'Sponsors pay for the newsletter, so that you don’t have to.',
  disclosureExplanation:
    'These companies may pay us when you take up an offer. Your newsletter stays free whether you pick any or none.',
  sponsoredBy: 'Sponsored by',
  newTabsNote: 'Each offer you pick opens on its sponsor’s website, in a new tab.',
  nothingChosen: 'Please select at least one offer to continue',
  proceed: 'Continue with selected offers',
  proceeding: 'Opening your offers...',
  decline: 'No thanks',
  declining: 'One moment...',
} as const;

export const notFoundCopy = {
  heading: 'Registration Not Found',
  lead: 'This address doesn’t lead to a registration. It may have been cut off when it was copied.',
  reassurance:
    'If you have signed up already, your subscription is safe and there is nothing you need to do here. If not, it takes a minute on our homepage.',
  action: 'Return to Homepage',
} as const;

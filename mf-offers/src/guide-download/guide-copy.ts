import { site } from '@daybook/contract';

/** Wording of the guide's page; “Guide for:” and the claim are the product document's (sections 2 and 9). */
export const guideCopy = {
  label: `${site.sisterBrand}, from the makers of ${site.name}`,
  lead: 'Savings of up to $5,000 a year may be waiting in benefits that nobody told you about. This free guide says what they are, who they are for, and whom to call.',
  guideFor: 'Guide for:',
  download: 'Download the free guide',
  fileName: 'senior-savings-guide.pdf',
  coverLabel: (title: string) => `Cover of ${title}`,
  insideHeading: 'What’s inside',
  insideLead:
    'One chapter for each kind of help. Each says at a glance who it is for, what it is worth, and where to ask.',
  also: 'A worked example, a checklist to print, and every telephone number on one page.',
  claimHeading: 'How “up to $5,000” is meant',
  claim:
    'It is what a household with a limited income can reach that qualifies for most of the programs in the guide. Many people find a few hundred dollars, some find nothing new. The guide shows the sum line by line. It is general information, not advice, and we are not connected with any government agency.',
} as const;

/** The bonus: a link that its publisher pays us for. */
export const housingGuideCopy = {
  label: 'Sponsored',
  heading: 'Bonus: the housing guide',
  text: 'Thinking about staying put, moving or renting? A partner’s guide to housing help for seniors. The partner may pay us when you open it.',
  action: 'Get the bonus housing guide',
  newTab: 'Opens our partner’s website in a new tab.',
} as const;

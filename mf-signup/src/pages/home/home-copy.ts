/** Words of the home page. Claims and figures are those of section 9 of the product document; nothing here promises a gain. */
export const homeCopy = {
  subscribe: 'Subscribe for free',
  needsScript: 'Subscribing needs JavaScript. Please turn it on and reload the page.',
  hero: {
    headline: 'The day in money, written up before breakfast.',
    lead: 'Daybook is a free daily newsletter for people who look after their own money: what moved, what it means at home, and what you could do about it.',
    benefits: [
      {
        term: 'Read in five minutes.',
        text: 'Markets, savings, retirement and the news, kept as short as they can be.',
      },
      { term: 'In plain words.', text: 'Every figure comes with what it means for a household, and where it is from.' },
      {
        term: 'Free, every morning.',
        text: 'Sponsors pay for it and are marked as sponsors. Leave whenever you like.',
      },
    ],
    readers: 'Join more than 10,000 readers.',
  },
  readingList: {
    heading: 'On our editors’ desks each morning',
    note: 'Titles that we read to write Daybook. They neither sponsor nor endorse it.',
  },
  features: {
    heading: 'What five minutes are good for',
    lead: 'Four things we look for each day, so that you don’t have to.',
  },
  closing: {
    heading: 'Tomorrow’s page is still blank.',
    text: 'Leave your address tonight and read it with your coffee. No card, no account, no password.',
  },
  questions: { heading: 'Questions, answered plainly' },
} as const;

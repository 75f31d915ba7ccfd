import { site } from '@daybook/contract';

/** Words of the accessible view; ids are the anchors of its contents (product document, section 2). */
export const accessibleViewCopy = {
  skip: 'Skip to the content',
  back: 'Back to Standard View',
  heading: `${site.name}: Accessible View`,
  lead: 'Everything you need to know about our free daily finance newsletter, on one plain page.',
  accessibilityFeatures: {
    heading: 'Accessibility features of this page',
    items: [
      { name: 'High contrast', text: 'Black on white, or white on black if your device is set to dark.' },
      { name: 'Simplified layout', text: 'One column, large text, and nothing that moves or covers anything else.' },
      { name: 'Screen reader compatibility', text: 'Headings, lists and labels that a screen reader can announce.' },
      {
        name: 'Keyboard navigation',
        text: 'Every link and field can be reached with the Tab key, and shows where you are.',
      },
      { name: 'No animations or autoplay', text: 'Nothing moves, blinks or makes a sound.' },
    ],
  },
  contents: 'Contents',
  about: {
    id: 'about',
    heading: `About ${site.name}`,
    paragraphs: [
      `${site.name} is a free newsletter about personal finance, sent by email every morning. More than 10,000 readers use it to follow their money in five minutes a day.`,
      'You need an email address and nothing else: no account, no password and no card. Sponsors pay for the newsletter, and their offers are marked as sponsored.',
      'What we publish is general information, not personal financial advice.',
    ],
  },
  newsletter: {
    id: 'newsletter',
    heading: 'The daily newsletter',
    lead: 'Each issue is written in plain words and includes:',
    items: [
      'market trends, and what they mean for a household;',
      'saving strategies that you can use the same day;',
      'investment insights, with their risks;',
      'retirement planning, step by step;',
      'the financial news that matters.',
    ],
    end: 'The first issue normally arrives the morning after you sign up. Every issue has a link at its foot that ends your subscription.',
  },
  features: {
    id: 'features',
    heading: 'Features',
    items: [
      { name: 'Market Updates', text: 'What moved since yesterday, and why, without jargon.' },
      {
        name: 'Saving Strategies',
        text: 'Ways to spend less on what you already buy, and to earn more on what you put aside.',
      },
      {
        name: 'Investment Insights',
        text: 'How common investments work, what they cost, and what can go wrong with them.',
      },
    ],
  },
  subscribe: {
    heading: 'Subscribe',
    note: 'This form is not connected: pressing the button sends nothing. To sign up, please use the form on our home page.',
    label: 'Email address',
    button: 'Subscribe Now',
    answer:
      'Nothing was sent, and you are not subscribed yet. What you typed is still in the field. Please sign up on our home page.',
    link: 'Go to the sign-up on the home page',
  },
  contact: {
    id: 'contact',
    heading: 'Contact',
    lead: 'Write to us by email. We answer every message that needs an answer.',
    ways: [
      { about: 'Questions about your subscription', subject: 'My subscription' },
      { about: 'Privacy requests', subject: 'Privacy request' },
      { about: 'Accessibility: a barrier, or a page in another format', subject: 'Accessibility' },
    ],
  },
  statement: {
    id: 'accessibility-statement',
    heading: 'Accessibility statement',
    paragraphs: [
      `${site.publisher} wants everybody to be able to read ${site.name} and to use this website. We aim to meet the Web Content Accessibility Guidelines (WCAG) 2.1 at Level AA on all of our pages. This page goes further in its contrast, at least 7 to 1 for all text.`,
      'We test every page with automated tools, in light and dark, and with the keyboard alone. Tools do not find everything, so some barriers may remain. Websites of sponsors that we link to are outside our control.',
      'If something on this website is hard or impossible for you to use, please write to us at the address above. Tell us the page and what happened, and we will help you and work on putting it right.',
    ],
  },
  footer: {
    label: 'Legal',
    links: [
      { href: '/terms', label: 'Terms of Service' },
      { href: '/privacy-policy', label: 'Privacy Policy' },
      { href: '/unsubscribe', label: 'Unsubscribe' },
    ],
    rights: `${site.publisher} All rights reserved.`,
  },
} as const;

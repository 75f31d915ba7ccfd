export type FeatureId = 'opportunities' | 'analysis' | 'wisdom' | 'risk';

export interface Feature {
  readonly id: FeatureId;
  readonly title: string;
  readonly text: string;
}

/** The four features of section 2 of the product document. */
export const features: readonly Feature[] = [
  {
    id: 'opportunities',
    title: 'Hidden opportunities',
    text: 'The account that quietly pays more, the fee you could stop paying, the tax relief that few people claim. We read the small print for you.',
  },
  {
    id: 'analysis',
    title: 'Rapid analysis',
    text: 'What moved since yesterday, why it did, and whether that matters to anyone who isn’t a trader. A few paragraphs and one chart.',
  },
  {
    id: 'wisdom',
    title: 'Portfolio wisdom',
    text: 'How costs, time and spread work on savings and retirement money, with worked examples that you can check yourself.',
  },
  {
    id: 'risk',
    title: 'Risk management',
    text: 'Every idea comes with what could go wrong and what that would cost, so that you see both columns before you decide.',
  },
];

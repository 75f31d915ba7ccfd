import type { PageRouteDefinition } from '@daybook/platform/page';
import Background from '../../content/targeted-opt-out.md';
import { type Choice, emailField } from '../choice-form/choice.tsx';
import { choicePage } from '../choice-form/choice-page.tsx';

export const route = {
  path: '/targeted-opt-out',
  title: 'Targeted Advertising Opt-Out',
  description:
    'Opt out of advertising tailored to your browsing behavior or interests. The Daybook newsletter continues.',
  frame: 'privacy',
} satisfies PageRouteDefinition;

export const targetedOptOut: Choice = {
  kind: 'targeted-opt-out',
  requestName: 'Targeted advertising opt-out request',
  heading: 'Targeted Advertising Opt-Out',
  lead: 'Keep getting our emails, but not offers picked by your interests or by what you do online.',
  explanation:
    'Newsletter and promotional emails will continue, but will no longer be tailored to your browsing behavior or interests. We process requests within 15 business days.',
  fields: [emailField],
  submitLabel: 'Opt Out of Targeted Ads',
  confirmation: {
    heading: 'Opt-Out Request Submitted',
    paragraphs: [
      'Your request will be processed within 15 business days.',
      'You will continue to receive newsletter and promotional emails, but they will no longer be tailored to your browsing behavior or interests.',
    ],
  },
  Background,
};

export default choicePage(targetedOptOut);

import type { PageRouteDefinition } from '@daybook/platform/page';
import Background from '../../content/profiling-opt-out.md';
import { type Choice, emailField } from '../choice-form/choice.tsx';
import { choicePage } from '../choice-form/choice-page.tsx';

export const route = {
  path: '/profiling-opt-out',
  title: 'Profiling Opt-Out',
  description: 'Keep getting the Daybook newsletter without personalization: what profiling means, and how to opt out.',
  frame: 'privacy',
} satisfies PageRouteDefinition;

export const profilingOptOut: Choice = {
  kind: 'profiling-opt-out',
  requestName: 'Profiling opt-out request',
  heading: 'Profiling Opt-Out',
  lead: 'Keep getting the newsletter, but not content picked by what we infer about you.',
  explanation:
    'You’ll still receive the newsletter, but it will no longer be personalized. We process requests within 15 business days.',
  fields: [emailField],
  submitLabel: 'Opt Out of Profiling',
  confirmation: {
    heading: 'Opt-Out Request Submitted',
    paragraphs: [
      'Your request will be processed within 15 business days.',
      'You will continue to receive the newsletter, but it will no longer be personalized for you.',
    ],
  },
  Background,
};

export default choicePage(profilingOptOut);

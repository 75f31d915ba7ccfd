import { Logo } from '../logo/logo.tsx';
import { PrivacyHeader } from '../privacy-header/privacy-header.tsx';
import { SiteFooter } from '../site-footer/site-footer.tsx';
import { SiteHeader } from '../site-header/site-header.tsx';
import type { ComponentStates } from './component-states.ts';

export const frameStates: readonly ComponentStates[] = [
  { component: 'Logo', states: { alone: <Logo /> } },
  { component: 'SiteHeader', fullWidth: true, states: { alone: <SiteHeader /> } },
  { component: 'PrivacyHeader', fullWidth: true, states: { alone: <PrivacyHeader /> } },
  {
    component: 'SiteFooter',
    fullWidth: true,
    states: { alone: <SiteFooter supportAddress="support@daybook.example" /> },
  },
];

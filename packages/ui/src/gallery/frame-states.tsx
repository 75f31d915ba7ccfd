import { Logo } from '../logo/logo.tsx';
import { PrivacyHeader } from '../privacy-header/privacy-header.tsx';
import { SiteFooter } from '../site-footer/site-footer.tsx';
import { SiteHeader } from '../site-header/site-header.tsx';
import type { ComponentStates } from './component-states.ts';

export const frameStates: readonly ComponentStates[] = [
  { component: 'Logo', states: { alone: <Logo /> } },
  { component: 'SiteHeader', states: { alone: <SiteHeader /> } },
  { component: 'PrivacyHeader', states: { alone: <PrivacyHeader /> } },
  { component: 'SiteFooter', states: { alone: <SiteFooter supportAddress="support@daybook.example" /> } },
];

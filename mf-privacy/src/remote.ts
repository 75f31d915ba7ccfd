import { defineRemote } from '@daybook/platform/define-remote';

export default defineRemote({
  routes: [
    {
      path: '/unsubscribe',
      title: 'Unsubscribe',
      description: 'Stop receiving the Daybook newsletter. Enter your email address; no account and no reason needed.',
      frame: 'privacy',
      page: './pages/unsubscribe-page.tsx',
    },
    {
      path: '/ca-unsubscribe',
      title: 'California Specific Unsubscribe',
      description:
        'For residents of California: unsubscribe from the Daybook newsletter, and see your further rights under the CCPA and the CPRA.',
      frame: 'privacy',
      page: './pages/california-unsubscribe-page.tsx',
    },
    {
      path: '/privacy-rights-request',
      title: 'Privacy Rights Request',
      description:
        'Ask Daybook for a copy of your personal information, or have it corrected, deleted, transferred or restricted. Processed within 45 days.',
      frame: 'privacy',
      page: './pages/privacy-rights-request-page.tsx',
    },
    {
      path: '/profiling-opt-out',
      title: 'Profiling Opt-Out',
      description:
        'Keep receiving the Daybook newsletter without personalization: what profiling means, and how to opt out of it.',
      frame: 'privacy',
      page: './pages/profiling-opt-out-page.tsx',
    },
    {
      path: '/targeted-opt-out',
      title: 'Targeted Advertising Opt-Out',
      description:
        'Opt out of advertising tailored to your browsing behavior or interests. The Daybook newsletter continues.',
      frame: 'privacy',
      page: './pages/targeted-opt-out-page.tsx',
    },
    {
      path: '/limit-sensitive-info',
      title: 'Limit Use of Sensitive Information',
      description:
        'Choose which categories of sensitive information Daybook may use only where the newsletter needs it.',
      frame: 'privacy',
      page: './pages/limit-sensitive-information-page.tsx',
    },
  ],
});

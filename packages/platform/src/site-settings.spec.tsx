import { defaultSiteSettings } from '@daybook/contract';
import { expect, test } from '@jest/globals';
import { act, render } from '@testing-library/react';
import { provideSiteSettings, useSiteSettings } from './site-settings.ts';

function Support() {
  return <p>{useSiteSettings().supportAddress}</p>;
}

test('a page sees the default settings, and those of the operator once the shell has them', () => {
  const { container } = render(<Support />);
  expect(container.textContent).toBe('support@daybook.example');
  act(() => provideSiteSettings({ ...defaultSiteSettings, supportAddress: 'help@daily.example' }));
  expect(container.textContent).toBe('help@daily.example');
});

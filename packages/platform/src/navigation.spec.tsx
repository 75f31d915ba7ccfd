import { describe, expect, jest, test } from '@jest/globals';
import { render } from '@testing-library/react';
import {
  connectNavigation,
  type Location,
  LocationContext,
  type Navigate,
  navigate,
  useLocation,
} from './navigation.ts';

describe('navigation', () => {
  test('says what is missing as long as no shell is connected', () => {
    expect(() => navigate('/thank-you')).toThrow(/Navigation is not connected.*connectNavigation\(\)/);
  });

  test('goes through the router of the shell from then on', () => {
    const router = jest.fn<Navigate>();
    connectNavigation(router);
    navigate('/thank-you?id=7', { replace: true, state: { blocked: ['grocery'] } });
    expect(router.mock.calls).toEqual([['/thank-you?id=7', { replace: true, state: { blocked: ['grocery'] } }]]);
  });
});

const seen: (Location | undefined)[] = [];
function Page() {
  seen.push(useLocation());
  return null;
}

test('the location of a page is the one that it was rendered for, and not known while it is being hydrated', () => {
  const location: Location = { pathname: '/thank-you', search: '?id=7', hash: '', state: null };
  for (const value of [undefined, location])
    render(
      <LocationContext value={value}>
        <Page />
      </LocationContext>,
    );
  expect(seen).toEqual([undefined, location]);
});

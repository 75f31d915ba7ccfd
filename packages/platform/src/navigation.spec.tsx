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
  test('throws a helpful error without a connected shell', () => {
    expect(() => navigate('/thank-you')).toThrow(/Navigation is not connected.*connectNavigation\(\)/);
  });

  test('uses the router of the connected shell', () => {
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

test("a page's location is the one that it was rendered for, and undefined during hydration", () => {
  const location: Location = { pathname: '/thank-you', search: '?id=7', hash: '', state: null };
  for (const value of [undefined, location])
    render(
      <LocationContext value={value}>
        <Page />
      </LocationContext>,
    );
  expect(seen).toEqual([undefined, location]);
});

import { describe, expect, jest, test } from '@jest/globals';
import { render } from '@testing-library/react';
import {
  connectNavigation,
  type Location,
  LocationContext,
  type Navigate,
  navigate,
  useLocation,
  useSearchParameters,
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

const seen: { location?: Location | undefined; parameters?: URLSearchParams | undefined }[] = [];
function Page() {
  seen.push({ location: useLocation(), parameters: useSearchParameters() });
  return null;
}

describe('the location of a page', () => {
  const show = (location: Location | undefined) => {
    render(
      <LocationContext value={location}>
        <Page />
      </LocationContext>,
    );
    return seen.at(-1);
  };
  const location = (search: string): Location => ({ pathname: '/thank-you', search, hash: '', state: null });

  test('is not known while a prerendered page is being hydrated', () => {
    expect(show(undefined)).toEqual({ location: undefined, parameters: undefined });
  });

  test('is the one that the page was rendered for', () => {
    expect(show(location('?id=7'))?.location).toEqual(location('?id=7'));
  });

  test('gives its query parameters, decoded', () => {
    const parameters = show(location('?id=7&email=reader%2Bnews%40example.com'))?.parameters;
    expect([...(parameters ?? [])]).toEqual([
      ['id', '7'],
      ['email', 'reader+news@example.com'],
    ]);
  });

  test('has no query parameters where there is no query', () => {
    expect([...(show(location(''))?.parameters ?? ['none'])]).toEqual([]);
  });
});

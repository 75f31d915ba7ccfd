import { expect, jest, test } from '@jest/globals';
import { connectNavigation, type Navigate, navigate } from './navigation.ts';

test('navigation uses the router of the connected shell, and throws without one', () => {
  expect(() => navigate('/thank-you')).toThrow(/Navigation is not connected.*connectNavigation\(\)/);
  const router = jest.fn<Navigate>();
  connectNavigation(router);
  navigate('/thank-you?id=7', { replace: true, state: { blocked: ['grocery'] } });
  expect(router.mock.calls).toEqual([['/thank-you?id=7', { replace: true, state: { blocked: ['grocery'] } }]]);
});

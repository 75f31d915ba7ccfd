import { docker } from '@daybook/testing/compose';
import { findFreePort } from '@daybook/testing/ports';
import { expect, test } from '../support/test.ts';
import * as stack from './stack.ts';

test('a machine without sources pulls the images from a registry and serves the site', async ({ page, started }) => {
  test.setTimeout(600_000);
  const [container, port] = [`${stack.project}-registry-images`, await findFreePort()];
  const registry = `127.0.0.1:${port}/daybook`;
  await docker('run', '--detach', '--name', container, '--publish', `127.0.0.1:${port}:5000`, 'registry:2');
  started.defer(async () => void (await docker('rm', '--force', '--volumes', container)));

  const image = (part: string) => `${registry}/${part}:${stack.version}`;
  const images = stack.parts.map(image);
  for (const part of stack.parts) await docker('tag', `daybook/${part}:${stack.version}`, image(part));
  stack.changeSettings({ IMAGE_REGISTRY: registry });
  await stack.compose('push', ...stack.parts);
  stack.changeSettings({ IMAGE_REGISTRY: '' });
  await docker('image', 'rm', ...images);

  const machine = await stack.createMachine('registry', { IMAGE_REGISTRY: registry, VERSION: stack.version });
  started.use(machine);
  started.defer(async () => void (await docker('image', 'rm', '--force', ...images)));
  await machine.compose('pull', ...stack.parts);
  await machine.up(...stack.parts);
  expect(await machine.images()).toEqual([...images, 'postgres:18'].sort());
  await page.goto(`${machine.site}/terms`);
  await expect(page.locator('[data-remote]').getByRole('heading', { level: 1 })).toBeVisible();
  // The machine is removed before the page is closed, which may still prefetch.
  await page.goto('about:blank');
});

import { networkOf } from '@daybook/server';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { NameField, OperatorAccess } from '../operator-access.ts';
import { releasesPageAddress, signInAddress, signOutAddress } from './addresses.ts';
import { html } from './html.ts';
import { type Message, renderPage } from './page-frame.ts';
import { openSession } from './sessions.ts';

export interface SignInPage {
  readonly csrfToken: string;
  readonly nameField: NameField;
  readonly message?: Message | undefined;
  /** What was typed as the name before. */
  readonly name?: string | undefined;
}

/** The page for visitors who have not signed in. */
export function renderSignInPage({ csrfToken, nameField, message, name }: SignInPage): string {
  return renderPage({
    title: 'Releases',
    message,
    csrfToken,
    content: html`<form class="sign-in" method="post" action="${signInAddress}">
<p>Sign in to see and change what visitors get.</p>
<p class="field">
<label for="token">Operator token</label>
<input id="token" name="token" type="password" autocomplete="current-password" required>
<span class="hint">Yours, if you have one; else the value of OPERATOR_TOKEN on the shell server.</span>
</p>
${
  nameField !== 'none' &&
  html`<p class="field">
<label for="name">Your name, for the log</label>
<input id="name" name="name" type="text" autocomplete="name" maxlength="60"${nameField === 'required' && html` required`} value="${name ?? ''}">
${nameField === 'optional' && html`<span class="hint">Not needed with a token of your own.</span>`}
</p>`
}
<button class="first" type="submit">Sign in</button>
</form>`,
  });
}

type Form = Readonly<Record<string, string | undefined>>;

const toReleases = (reply: FastifyReply) => reply.code(303).header('Location', releasesPageAddress).send();

/** Signing in with an operator's token, and signing out. */
export function registerSignIn(app: FastifyInstance, access: OperatorAccess): void {
  // Where a browser goes after a form there was rejected, or by its history.
  for (const address of [signInAddress, signOutAddress]) app.get(address, (_request, reply) => toReleases(reply));

  app.post<{ Body: Form }>(signInAddress, { preHandler: app.csrfProtection }, async (request, reply) => {
    const { token = '', name = '' } = request.body;
    const operator = access.nameOfPerson(request, token.trim(), name);
    await openSession(request, operator);
    const network = networkOf(request.ip);
    request.log.info({ operator, network }, `Operator ${operator} signed in from ${network}`);
    return toReleases(reply);
  });

  app.post(signOutAddress, { preHandler: app.csrfProtection }, async (request, reply) => {
    const { operator } = request.session;
    if (operator === undefined) return toReleases(reply);
    await request.session.destroy();
    request.log.info({ operator, network: networkOf(request.ip) }, `Operator ${operator} signed out`);
    return toReleases(reply);
  });
}

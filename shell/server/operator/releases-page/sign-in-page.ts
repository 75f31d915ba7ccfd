import { signInAddress } from './addresses.ts';
import { html } from './html.ts';
import { renderPage } from './page-frame.ts';

/** The page of who has not signed in. What was typed as the name is there again, the token never. */
export function renderSignInPage(problem?: string, name = ''): string {
  return renderPage({
    title: 'Releases',
    message: problem === undefined ? undefined : { kind: 'error', sentences: [problem] },
    content: html`<form class="sign-in" method="post" action="${signInAddress}">
<p>Sign in to see and change what visitors get.</p>
<p class="field">
<label for="token">Operator token</label>
<input id="token" name="token" type="password" autocomplete="current-password" required>
<span class="hint">The value of OPERATOR_TOKEN on the shell server.</span>
</p>
<p class="field">
<label for="name">Your name, for the log</label>
<input id="name" name="name" type="text" autocomplete="name" maxlength="60" required value="${name}">
</p>
<button class="first" type="submit">Sign in</button>
</form>`,
  });
}

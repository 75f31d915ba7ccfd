import type { FastifyInstance, FastifyReply } from 'fastify';
import { releasesPageAddress, signInAddress, signOutAddress } from './addresses.ts';
import type { Gate } from './gate.ts';
import { endSession, isFromThisSite, openSession, operatorNameSchema } from './operator-sessions.ts';
import { sendHtml } from './send.ts';
import { renderSignInPage } from './sign-in-page.ts';

type Form = Readonly<Record<string, string | undefined>>;

const toReleases = (reply: FastifyReply) => reply.code(303).header('Location', releasesPageAddress).send();

/** Signing in with the operator's token and a name, and signing out. */
export function registerSignIn(app: FastifyInstance, gate: Gate): void {
  // Where a browser goes after a form there was refused, or by its history.
  for (const address of [signInAddress, signOutAddress]) app.get(address, (_request, reply) => toReleases(reply));

  app.post<{ Body: Form | undefined }>(signInAddress, (request, reply) => {
    const { token = '', name = '' } = request.body ?? {};
    const refuse = (status: number, problem: string) =>
      sendHtml(reply.code(status), renderSignInPage(problem, name.slice(0, 60)));
    if (!isFromThisSite(request)) return refuse(403, 'The form was not sent from this site. Sign in here.');
    const letIn = gate.tryToken(request, () => gate.access.isToken(token.trim()));
    if (typeof letIn === 'number') {
      reply.header('Retry-After', letIn);
      return refuse(429, `Too many attempts to sign in. Try again in ${letIn} seconds.`);
    }
    if (!letIn) return refuse(401, 'This is not the operator token. Try again.');
    const parsed = operatorNameSchema.safeParse(name);
    if (!parsed.success) return refuse(400, parsed.error.issues[0]?.message ?? '');
    openSession(request, reply, gate.access, parsed.data);
    return toReleases(reply);
  });

  app.post(signOutAddress, (request, reply) => {
    if (!isFromThisSite(request))
      return sendHtml(reply.code(403), renderSignInPage('The form was not sent from this site.'));
    endSession(request, reply);
    return toReleases(reply);
  });
}

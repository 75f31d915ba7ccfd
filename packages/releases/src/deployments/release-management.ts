import { pathConflicts, type Release, redirectProblems } from '@daybook/contract/release';
import { type ReleaseError, throwErrors } from '../manifest/manifest.ts';
import { ConflictError, maxAttempts, type NotDeployed, type ReleaseRegistry } from '../registry/release-registry.ts';
import {
  type Audience,
  type Deployment,
  type NewDeployment,
  previousVersions,
  type RemoteState,
  runningPreview,
} from '../registry/remote-state.ts';
import type { LiveSnapshot } from '../snapshot/live-snapshot.ts';
import {
  audienceOf,
  checkOffer,
  type Decision,
  DeploymentError,
  type DeploymentRequest,
  isTeam,
  type Offer,
} from './deployment-request.ts';

/**
 * Decides on deployments of a site's releases, and appends them to the registry, from which all servers apply them within
 * a second. Shared by the API and the operator's page. Each is decided on the state of the snapshot,
 * which is refreshed before; on an outdated one it fails with a `ConflictError`.
 */
export class ReleaseManagement {
  readonly registry: ReleaseRegistry;
  readonly live: LiveSnapshot;
  /** Number of releases to retain of a remote. */
  readonly retained: number;

  constructor(registry: ReleaseRegistry, live: LiveSnapshot, retained: number) {
    this.registry = registry;
    this.live = live;
    this.retained = retained;
  }

  /** The names of the site's remotes. */
  get remotes(): readonly string[] {
    return this.live.current.remotes;
  }

  /** Makes a deployment by its name; the methods of the same names state what each does, and its errors. */
  async deploy(
    remote: string,
    { action, version, percent, audience }: DeploymentRequest,
    decision: Decision,
  ): Promise<Deployment> {
    const requiredVersion = () => {
      if (version) return version;
      throw new DeploymentError('“version” is missing.');
    };
    switch (action) {
      case 'activate':
        return this.activate(remote, requiredVersion(), decision);
      case 'rollback':
        return this.rollback(remote, decision, version || undefined);
      case 'offer':
        return this.offer(remote, requiredVersion(), { percent: percent ?? Number.NaN }, decision);
      case 'end':
        return this.end(remote, decision, audience);
      case 'hold':
        return this.hold(remote, decision);
      case 'lift':
        return this.lift(remote, decision);
    }
  }

  /** Gives exactly this stored release to all visitors; ends a canary. The remote stays held if it is. */
  async activate(remote: string, version: string, decision: Decision): Promise<Deployment> {
    const state = await this.#freshState(remote, decision);
    this.#checkServable(remote, version);
    this.#checkNotActive(state, remote, version);
    return this.#append(state, { remote, action: 'activate', version }, decision, 'activated');
  }

  /**
   * Activates the previous release instead of the active one, which no later rollback returns to. Ends canary and preview:
   * they may be what went wrong.
   *
   * @param version the release to roll back to; the previous one by default. Visitors had it, and no rollback left it: any
   *   other one needs `activate`, on purpose
   */
  async rollback(remote: string, decision: Decision, version?: string): Promise<Deployment> {
    const state = await this.#freshState(remote, decision);
    const { active: left } = state;
    if (!left) throw new DeploymentError(`${remote} has no active release yet; there is nothing to roll back.`);
    const target = version ?? this.live.current.previousOf(remote)?.release.version;
    if (target === undefined)
      throw new DeploymentError(
        `${remote} has no stored release that was active before ${left} and that no rollback left. To give visitors another stored release, activate it.`,
      );
    this.#checkServable(remote, target);
    this.#checkNotActive(state, remote, target);
    if (!previousVersions(state).includes(target))
      throw new DeploymentError(
        `${remote}@${target} ${state.left.has(target) ? 'was rolled back' : 'was never active'}, so it is no target of a rollback. To give it to visitors, activate it.`,
      );
    return this.#append(state, { remote, action: 'activate', version: target, left }, decision, 'rolled back');
  }

  /**
   * Gives a stored release to an audience, in place of its last offer of the same kind: to a share of the visitors (1 to
   * 99 percent), or to those with a link.
   */
  async offer(remote: string, version: string, offer: Offer, decision: Decision): Promise<Deployment> {
    const state = await this.#freshState(remote, decision);
    this.#checkServable(remote, version);
    this.#checkNotActive(state, remote, version);
    checkOffer(state, remote, offer);
    const deployment = { remote, action: 'offer', audience: audienceOf(offer), version, ...offer } as const;
    const why = 'percent' in offer ? `canary for ${offer.percent} % of visitors` : 'preview';
    return this.#append(state, deployment, decision, why);
  }

  /**
   * Decides what publishing a release does now: it becomes active, or is offered. No deployment if it was activated or offered
   * so before (`known`), since people may have changed that; nor while the remote is held (`held`), except of a preview.
   *
   * @param isStored whether the registry had the release before
   * @throws DeploymentError, ReleaseRejection or ConflictError if it can't be deployed
   */
  async decidePublication(
    release: Release,
    offer: Offer | undefined,
    decision: Decision,
    isStored: boolean,
  ): Promise<NewDeployment | NotDeployed> {
    const { name: remote, version } = release;
    const state = await this.#freshState(remote, decision);
    const { activations, heldBy } = state;
    if (activations.has(version) || (offer && this.#wasOffered(remote, version, offer))) return 'known';
    const isPreview = offer !== undefined && 'tokenHash' in offer;
    if (heldBy !== undefined && !isPreview) return 'held';
    // Stored while its remote was held: a container that starts again after the end of the hold must not activate it.
    const deployments = this.live.current.deployments(remote);
    if (isStored && !offer && !deployments.some((each) => each.version === version)) return 'known';
    if (!isPreview) this.#checkBase(state, remote, decision);
    throwErrors(this.pathErrors(release, false));
    if (offer) checkOffer(state, remote, offer);
    const what = offer
      ? ({ action: 'offer', audience: audienceOf(offer), ...offer } as const)
      : ({ action: 'activate' } as const);
    const { by, why = 'published' } = decision;
    return { remote, number: state.number + 1, version, ...what, why, by };
  }

  /** Appends what is decided; decides again if another deployment came first. */
  async append(decide: () => Promise<NewDeployment | NotDeployed>): Promise<Deployment | NotDeployed> {
    for (let attempt = 1; ; attempt += 1) {
      const decided = await decide();
      if (typeof decided === 'string') return decided;
      try {
        return await this.live.append(decided);
      } catch (error) {
        if (!(error instanceof ConflictError) || attempt === maxAttempts) throw error;
      }
    }
  }

  #wasOffered(remote: string, version: string, offer: Offer): boolean {
    const offers = this.live.current.deployments(remote).filter(({ action }) => action === 'offer');
    return 'tokenHash' in offer
      ? offers.some(({ tokenHash }) => tokenHash === offer.tokenHash)
      : offers.some((each) => each.version === version && each.audience === 'canary');
  }

  /**
   * Ends the offer to an audience, which gets the active release again.
   *
   * @param audience by default the only one there is
   */
  async end(remote: string, decision: Decision, audience?: Audience): Promise<Deployment> {
    const state = await this.#freshState(remote, decision);
    const offers = { canary: state.canary, preview: runningPreview(state) };
    const running = (['canary', 'preview'] as const).filter((each) => offers[each]);
    if (audience === undefined && running.length > 1)
      throw new DeploymentError(`${remote} has a canary and a preview; say which of them to end.`);
    const ended = audience ?? running[0];
    const version = ended && offers[ended]?.version;
    if (!version) throw new DeploymentError(`${remote} has no ${audience ?? 'canary or preview'} to end.`);
    return this.#append(state, { remote, action: 'end', audience: ended, version }, decision, `${ended} ended`);
  }

  /**
   * New releases are stored and not activated, until `lift`; what visitors get stays. Operators can make the hold of a team
   * theirs, which binds the team.
   */
  async hold(remote: string, decision: Decision): Promise<Deployment> {
    const state = await this.#freshState(remote, decision);
    const { heldBy } = state;
    if (heldBy !== undefined && (isTeam(decision.by) || !isTeam(heldBy)))
      throw new DeploymentError(`${remote} is held already, by ${heldBy}.`);
    return this.#append(state, { remote, action: 'hold' }, decision, 'held');
  }

  /** Lets new releases become active again. */
  async lift(remote: string, decision: Decision): Promise<Deployment> {
    const state = await this.#freshState(remote, decision);
    if (state.heldBy === undefined) throw new DeploymentError(`${remote} is not held.`);
    return this.#append(state, { remote, action: 'lift' }, decision, 'lifted');
  }

  /**
   * Returns which paths of a release another remote serves; and of one that is published now, which redirects lead to no page.
   * Those of a stored one are not checked: a rollback must not depend on the pages that other remotes have by then.
   */
  pathErrors(release: Release, isStored: boolean): readonly ReleaseError[] {
    const others = this.#served(release.name);
    const { current } = this.live;
    const { active } = current.stateOf(release.name);
    const activeRelease = active && current.servable(release.name, active)?.release;
    const conflicts = pathConflicts(release, others, { isStored, active: activeRelease || undefined });
    const problems = isStored ? [] : redirectProblems(release, others);
    return [...conflicts, ...problems].map((message) => ['collision', message]);
  }

  /** Returns the releases that visitors get of all remotes but one; by the log alone, whatever files this server has. */
  #served(except: string): readonly Release[] {
    const { current } = this.live;
    return this.remotes
      .filter((remote) => remote !== except)
      .flatMap((remote) => {
        const { active, canary } = current.stateOf(remote);
        const served = (active && current.servable(remote, active)) || current.previousOf(remote);
        return [served, canary && current.servable(remote, canary.version)];
      })
      .flatMap((found) => (found ? found.release : []));
  }

  /** @throws DeploymentError for an unknown remote */
  checkKnown(remote: string): void {
    if (!this.remotes.includes(remote))
      throw new DeploymentError(`There is no remote “${remote}”; there are ${this.remotes.join(', ')}.`);
  }

  async #freshState(remote: string, { seen }: Decision): Promise<RemoteState> {
    await this.live.refresh();
    this.checkKnown(remote);
    const state = this.live.current.stateOf(remote);
    if (seen !== undefined && seen !== state.number)
      throw new ConflictError(`${remote} has been changed in the meantime. Check its state, then decide.`);
    return state;
  }

  #checkBase({ active = 'none' }: RemoteState, remote: string, { base = active }: Decision): void {
    if (base === active) return;
    const { by = '' } = this.live.current.deployments(remote).findLast(({ action }) => action === 'activate') ?? {};
    throw new ConflictError(
      `Changed meanwhile: visitors have ${remote}@${active} (by ${by}), and this release was compared with ${base}. Nothing was published; release again to compare with what they have now.`,
    );
  }

  #checkNotActive({ active }: RemoteState, remote: string, version: string): void {
    if (version === active) throw new DeploymentError(`${remote}@${version} is active for all visitors already.`);
  }

  /** Checks that a release is stored and that its paths are free. */
  #checkServable(remote: string, version: string): void {
    const found = this.live.current.servable(remote, version);
    if (!found) {
      const stored = this.live.current
        .servableOf(remote)
        .map(({ release }) => release.version)
        .join(', ');
      throw new DeploymentError(`${remote} has no stored release “${version}”; stored: ${stored || 'none'}.`);
    }
    const errors = this.pathErrors(found.release, true);
    throwErrors(errors.map(([reason, message]) => [reason, `${remote}@${version} can't be served: ${message}`]));
  }

  /** @param state the state that the deployment was decided on */
  async #append(
    { number }: RemoteState,
    deployment: Omit<NewDeployment, 'number' | 'why' | 'by'>,
    { by, why }: Decision,
    defaultWhy: string,
  ): Promise<Deployment> {
    return this.live.append({ ...deployment, number: number + 1, why: why || defaultWhy, by });
  }
}

import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';

/** Work that each backend repeats from startup to shutdown. */
export abstract class BackgroundWork implements OnApplicationBootstrap, BeforeApplicationShutdown {
  latestRun: Promise<void> = Promise.resolve();
  protected isStopping = false;
  private timer: NodeJS.Timeout | undefined;

  /** Works once, and returns the delay in ms until the next run. Never throws. */
  protected abstract run(): Promise<number>;

  onApplicationBootstrap(): void {
    this.latestRun = this.runAndSchedule();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.timer);
    await this.latestRun;
  }

  private async runAndSchedule(): Promise<void> {
    const delay = await this.run();
    const again = () => {
      this.latestRun = this.runAndSchedule();
    };
    if (!this.isStopping) this.timer = setTimeout(again, delay).unref();
  }
}

import { Drain } from '@daybook/server';
import { type DynamicModule, Module } from '@nestjs/common';
import { DatabaseModule } from './database/index.ts';
import { entities } from './entities.ts';
import { type Environment, environmentToken } from './environment.ts';
import { HealthModule } from './health/index.ts';
import { HttpModule } from './http/index.ts';
import { OutboxModule } from './outbox/index.ts';
import { PrivacyRequestsModule } from './privacy-requests/index.ts';
import { RetentionModule } from './retention/index.ts';
import { WaitlistModule } from './waitlist/index.ts';

/** The backend. All its modules share the environment and the drain. */
@Module({
  imports: [HttpModule, HealthModule, OutboxModule, WaitlistModule, RetentionModule],
})
export class AppModule {
  static forRoot(environment: Environment, drain: Drain): DynamicModule {
    const shared = [
      { provide: environmentToken, useValue: environment },
      { provide: Drain, useValue: drain },
    ];
    return {
      module: AppModule,
      global: true,
      imports: [DatabaseModule.forRoot(environment, entities), PrivacyRequestsModule.forRoot(environment)],
      providers: shared,
      exports: shared,
    };
  }
}

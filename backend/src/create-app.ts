import type { Drain } from '@daybook/server';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from './app.module.ts';
import type { Environment } from './environment.ts';
import { fastifyOptions, prepareServer, registerDocumentation } from './http/index.ts';
import { nestLogger } from './logging.ts';

export async function createApp(environment: Environment, drain: Drain): Promise<NestFastifyApplication> {
  const adapter = new FastifyAdapter(fastifyOptions(environment));
  const server = adapter.getInstance();
  await prepareServer(server, environment, drain);
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.forRoot(environment, drain), adapter, {
    abortOnError: false,
    bodyParser: false,
    logger: false,
  });
  app.useLogger(nestLogger(server.log));
  // A plugin with routes of its own gets no hook that is added after it, such as those of Nest's modules.
  await registerDocumentation(server);
  return app;
}

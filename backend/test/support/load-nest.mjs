// The throttler is CommonJS and requires Nest, which is none: Jest lets it only once Nest is there.
import '@nestjs/common';
import '@nestjs/core';

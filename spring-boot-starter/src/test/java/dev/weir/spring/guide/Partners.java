package dev.weir.spring.guide;

import dev.weir.spring.client.OutgoingLimitFilter;
import dev.weir.spring.client.OutgoingLimitInterceptor;
import dev.weir.spring.client.OutgoingLimits;
import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;

@Configuration
class Partners {
  @Bean
  OutgoingLimits outgoingLimits() {
    return OutgoingLimits.builder().limit("10/s").maxWait(Duration.ofSeconds(2)).build();
  }

  @Bean
  RestClient restClient(RestClient.Builder builder, OutgoingLimits limits) {
    return builder.requestInterceptor(new OutgoingLimitInterceptor(limits)).build();
  }

  @Bean
  WebClient webClient(OutgoingLimits limits) {
    return WebClient.builder().filter(new OutgoingLimitFilter(limits)).build();
  }
}

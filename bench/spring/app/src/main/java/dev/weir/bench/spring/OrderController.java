package dev.weir.bench.spring;

import java.time.LocalDate;
import java.util.List;
import java.util.stream.LongStream;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Answers a page of orders, as applications with something to say do. */
@RestController
class OrderController {
  private static final int PAGE = 20;
  private static final LocalDate START = LocalDate.of(2026, 3, 1);

  record Order(
      long id, String customer, LocalDate placed, String state, long cents, List<String> items) {}

  @GetMapping({"/api/v1/orders", "/*/api/v1/orders"})
  List<Order> orders() {
    return LongStream.rangeClosed(1, PAGE).mapToObj(OrderController::order).toList();
  }

  private static Order order(long id) {
    return new Order(
        id,
        "Customer " + id,
        START.plusDays(id),
        id % 3 == 0 ? "shipped" : "open",
        1_999 + 100 * id,
        List.of("A-" + id, "B-" + 7 * id));
  }
}

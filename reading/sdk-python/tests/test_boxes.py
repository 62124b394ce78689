import unittest

from fanlight_plugin.boxes import Box, identifier


class Boxes(unittest.TestCase):
    def test_an_identifier_is_that_of_the_sdk_in_rust(self):
        box = Box(10.0, 20.0, 46.0, 56.0)
        self.assertEqual(identifier("door", "9f86d081", 3, box), "door_4d061a9ac332")

    def test_lengths_are_rounded_to_hundredths(self):
        self.assertEqual(Box(10.001, -20.005, 46.333, 56).rounded(), Box(10.0, -20.01, 46.33, 56.0))
